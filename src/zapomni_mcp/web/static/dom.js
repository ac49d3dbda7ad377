// Build elements out of text. Nothing here, or anywhere else, takes HTML: memories are hostile.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element; strings among the children become text. */
export function el(tag, props = {}, ...children) {
  return furnish(document.createElement(tag), props, children);
}

/** Make an SVG element. */
export function svg(tag, props = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), props, children);
}

function furnish(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === "data") {
      Object.assign(node.dataset, value);
    } else if (name === "value" && "value" in node) {
      node.value = value;
    } else {
      node.setAttribute(name, attribute(name, value));
    }
  }
  node.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function attribute(name, value) {
  if (name.startsWith("on")) throw new Error("Listeners are functions");
  if (name === "href" && !/^(#|\/(?!\/))/.test(value)) throw new Error("Links stay on the page");
  return value === true ? "" : String(value);
}

/** Put these children in the place of whatever a node holds. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Wait until calls pause for a while, then make the last one. */
export function debounced(run, ms) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...given), ms);
  };
}

/** Write an address of the page: a view, parts of its path, and what is asked for. */
export function hash(view, parts = [], query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const search = new URLSearchParams(given).toString();
  const path = [view, ...parts.map(encodeURIComponent)].join("/");
  return `#/${path}${search ? `?${search}` : ""}`;
}

/** Read an address of the page. */
export function readHash(text) {
  const [path, search = ""] = text.replace(/^#\/?/, "").split("?", 2);
  const [view, ...parts] = path.split("/").map(decoded);
  return { view: view || "search", parts, query: new URLSearchParams(search) };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
