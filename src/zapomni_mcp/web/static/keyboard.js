// One key is enough: / searches, j and k walk a list, Enter opens, Esc goes back, ? tells.

import { el } from "./dom.js";

const OFF = "zapomni-no-shortcuts";
const KEYS = [
  ["/", "Search"],
  ["j, k", "Next and previous entry of a list"],
  ["Enter", "Open the entry"],
  ["Esc", "Close, leave the field, or go back"],
  ["t", "Timeline"],
  ["g", "Graph"],
  ["?", "This help"],
];

/** Listen to the keys. */
export function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") return leave(event);
    if (isTyping(event.target) || localStorage.getItem(OFF)) return;
    const act = ACTS[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  document.getElementById("help-button").addEventListener("click", help);
}

const ACTS = {
  "/": () => {
    const box = document.querySelector("main [type=search]");
    if (box) { box.focus(); box.select(); } else { location.hash = "#/search"; }
  },
  j: () => step(1),
  k: () => step(-1),
  t: () => { location.hash = "#/timeline"; },
  g: () => { location.hash = "#/graph"; },
  "?": help,
};

function isTyping(target) {
  return target.matches?.("textarea, select, [contenteditable], input:not([type=checkbox], [type=range], [type=button])");
}

function step(by) {
  const links = [...document.querySelectorAll("main .item")].map((item) => item.querySelector("a, button")).filter(Boolean);
  if (!links.length) return;
  const at = links.findIndex((link) => link.closest(".item").contains(document.activeElement));
  const next = links[Math.max(0, Math.min(links.length - 1, at < 0 ? 0 : at + by))];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

function leave(event) {
  if (isTyping(event.target)) event.target.blur();
  else if (!/^#\/search\b/.test(location.hash) && location.hash) history.back();
}

function help() {
  const isOn = !localStorage.getItem(OFF);
  const box = el("input", { type: "checkbox", id: "shortcuts-on" });
  box.checked = isOn;
  box.addEventListener("change", () => (box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1")));
  const close = el("button", { type: "button" }, "Close");
  const rows = KEYS.map(([key, does]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)));
  const dialog = el("dialog", { "aria-labelledby": "help-title" },
    el("h2", { id: "help-title" }, "Keyboard"),
    el("dl", { class: "keys" }, rows),
    el("label", { class: "check" }, box, "Use single keys as shortcuts"),
    el("div", { class: "actions" }, close));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
