// What is wrong with the page as it is: returned as a list of sentences.
const found = [];
const seen = (node) => node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
const shown = (node) => `${node.tagName.toLowerCase()}${node.id ? '#' + node.id : ''}.${[...node.classList].join('.')}`;
const report = (rule, node) => found.push(`${rule}: ${shown(node)} ${node.textContent.trim().slice(0, 40)}`);
const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);

const nameOf = (node) => {
  const by = (node.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  const labels = [...(node.labels ?? [])].map((label) => label.textContent).join(' ');
  return (by || node.getAttribute('aria-label') || labels || node.textContent || node.title || '').trim();
};
for (const node of all('button, a[href], input, select, textarea, meter, progress, summary, [role=img], dialog[open]')) {
  if (!nameOf(node)) report('no name', node);
}
for (const node of all('input, select, textarea')) {
  if (!node.getAttribute('aria-label') && !node.labels?.length) report('no label', node);
}
for (const node of all('a a, button a, a button, button button, label label')) report('nested controls', node);
for (const node of document.querySelectorAll('[tabindex]')) if (node.tabIndex > 0) report('forced tab order', node);
for (const node of document.querySelectorAll('svg')) {
  if (!node.closest('[aria-hidden=true]') && !(node.getAttribute('role') === 'img' && nameOf(node))) report('unnamed picture', node);
}

const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) !== at))) found.push(`id twice: ${id}`);
for (const node of document.querySelectorAll('[aria-labelledby], [aria-describedby], [list]')) {
  for (const name of ['aria-labelledby', 'aria-describedby', 'list']) {
    for (const id of (node.getAttribute(name) ?? '').split(/\s+/).filter(Boolean)) if (!document.getElementById(id)) report(`${name} leads nowhere`, node);
  }
}

if (!document.documentElement.lang) found.push('no language');
if (!document.title) found.push('no title');
for (const [selector, name] of [['main', 'main'], ['header', 'header'], ['nav[aria-label]', 'named nav']]) {
  if (all(selector).length !== 1) found.push(`${all(selector).length} landmarks ${name}`);
}
if (all('h1').length !== 1) found.push(`${all('h1').length} headings of level 1`);
let level = 0;
for (const node of all('h1, h2, h3, h4')) {
  const own = Number(node.tagName[1]);
  if (own > level + 1) report(`heading jumps from ${level}`, node);
  level = own;
}
for (const node of all('ul > :not(li), ol > :not(li)')) report('not an entry of its list', node);
for (const node of all('dl > :not(dt, dd, div)')) report('not an entry of its list', node);

const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const rgba = (colour) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
};
const over = (top, under) => top.slice(0, 3).map((part, at) => (part * top[3] + under[at] * (255 - top[3])) / 255).concat(255);
const ground = (node) => {
  const layers = [];
  for (let at = node; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
  return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 255]);
};
const light = (colour) => {
  const [r, g, b] = colour.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, other) => (Math.max(light(one), light(other)) + 0.05) / (Math.min(light(one), light(other)) + 0.05);
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const done = new Set();
while (walker.nextNode()) {
  const node = walker.currentNode.parentElement;
  if (done.has(node) || !walker.currentNode.textContent.trim() || !seen(node) || node.closest('[disabled], option, .sr, .skip, #toast')) continue;
  done.add(node);
  const style = getComputedStyle(node);
  const size = parseFloat(style.fontSize);
  const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
  const under = ground(node);
  const ratio = contrast(over(rgba(style.color), under), under);
  if (ratio < needed) report(`contrast ${ratio.toFixed(2)}`, node);
}
for (const node of all('button, input, select, a.chip, nav a')) {
  const box = node.getBoundingClientRect();
  if (box.height < 18 || box.width < 18) { if (node.type !== 'checkbox') report(`only ${Math.round(box.width)} x ${Math.round(box.height)}`, node); }
}
return found;
