// Small plots, drawn as SVG: bars over days or months, and bars by name.

import { el, svg } from "./dom.js";
import { compact, count, label, plural, shownDay, shownMonth } from "./format.js";

const DAY_MS = 86_400_000;
const HEIGHT = 72;
const MOST_BARS = 120;

/** Draw how many memories each day has; a press on a bar chooses its day. */
export function dayBars(byDay, choose = null) {
  const all = filled(byDay).slice(-MOST_BARS);
  return barsOverTime(all, "Memories per day", choose);
}

/** Draw how many memories each month has. */
export function monthBars(byDay) {
  const months = new Map();
  for (const [day, number] of filled(byDay)) months.set(day.slice(0, 7), (months.get(day.slice(0, 7)) ?? 0) + number);
  return barsOverTime([...months], "Memories per month", null);
}

function filled(byDay) {
  const days = Object.keys(byDay).sort();
  if (!days.length) return [];
  const first = Math.max(Date.parse(days[0]), Date.parse(days.at(-1)) - 10 * 365 * DAY_MS);
  const all = [];
  for (let at = first; at <= Date.parse(days.at(-1)); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10);
    all.push([day, byDay[day] ?? 0]);
  }
  return all;
}

function barsOverTime(entries, title, choose) {
  const most = Math.max(1, ...entries.map(([, number]) => number));
  const width = 100 / entries.length;
  const bars = entries.map(([name, number], at) => {
    const height = number ? Math.max(1.5, (number / most) * HEIGHT) : 0;
    const place = { x: `${at * width}%`, width: `${Math.max(width * 0.8, 0.1)}%` };
    const hit = svg("rect", { ...place, y: 0, height: HEIGHT, class: "hit", data: { name } }, svg("title", {}, `${shownName(name)}: ${count(number)}`));
    if (choose) hit.addEventListener("click", () => choose(name));
    return svg("g", { class: choose ? "can-choose" : null }, svg("rect", { ...place, y: HEIGHT - height, height, class: "bar", rx: 1 }), hit);
  });
  const total = entries.reduce((sum, [, number]) => sum + number, 0);
  const about = `${title}: ${plural(total, "memory", "memories")} from ${shownName(entries[0][0])} to ${shownName(entries.at(-1)[0])}, at most ${count(most)}`;
  return el("figure", { class: "plot" },
    el("figcaption", {}, title, el("span", { class: "quiet-text" }, `at most ${count(most)}`)),
    svg("svg", { width: "100%", height: HEIGHT, role: "img", "aria-label": about }, bars),
    el("div", { class: "axis", "aria-hidden": "true" }, el("span", {}, shownName(entries[0][0])), el("span", {}, shownName(entries.at(-1)[0]))));
}

function shownName(name) {
  return name.length === 7 ? shownMonth(name) : shownDay(name);
}

/** Draw bars by name, the longest first; each may lead somewhere. */
export function namedBars(title, counts, { link = null, most = 10, colour = null } = {}) {
  const entries = Object.entries(counts).sort((one, other) => other[1] - one[1]);
  const highest = entries[0]?.[1] ?? 1;
  const rows = entries.slice(0, most).map(([name, number]) => el("tr", {},
    el("th", { scope: "row" }, link ? el("a", { href: link(name) }, el("bdi", {}, label(name))) : el("bdi", {}, label(name))),
    el("td", { class: "bar-cell" }, bar(number / highest, colour ? colour(name) : "")),
    el("td", { class: "number" }, compact(number))));
  const left = entries.length - rows.length;
  return el("figure", { class: "plot" },
    el("figcaption", {}, title, left > 0 ? el("span", { class: "quiet-text" }, `and ${count(left)} more`) : null),
    el("table", { class: "named-bars", "aria-label": title }, el("tbody", {}, rows)));
}

function bar(share, kind) {
  return svg("svg", { width: "100%", height: 10, "aria-hidden": "true", class: kind || null },
    svg("rect", { width: `${Math.max(0.5, share * 100)}%`, height: 10, rx: 3, class: "bar" }));
}
