// Pieces that several views show: cards of memories, tags, empty states, errors, questions.

import { el, fill, hash } from "./dom.js";
import { cut, label, marked, shownDay, shownMoment } from "./format.js";

/** Begin a view: its heading, a line about it, and what stands beside them. */
export function head(title, about = "", ...beside) {
  const lead = about && el("p", { class: "lead" }, about);
  return el("div", { class: "head" }, el("div", {}, el("h1", { tabindex: "-1" }, title), lead || null), ...beside);
}

/** Show text that somebody else has written, in its own direction, with some words marked. */
export function foreign(tag, text, props = {}, matches = []) {
  const pieces = marked(text, matches).map((piece) => (piece.isMatch ? el("mark", {}, piece.text) : piece.text));
  return el(tag, { dir: "auto", ...props }, pieces);
}

/** Show a tag; it leads to all that have it. */
export function tagLink(tag) {
  return el("a", { class: "chip", href: hash("timeline", [], { tag }) }, el("bdi", {}, label(tag)));
}

/** Show a source; it leads to all that comes from it. */
export function sourceLink(source) {
  const href = hash("timeline", [], { source });
  return el("a", { class: "source", href, title: "Source" }, el("bdi", {}, label(source)));
}

/** Show the name of a person or thing; it leads into the graph. */
export function entityLink(name) {
  return el("a", { class: "chip entity", href: hash("graph", [], { entity: name }) }, el("bdi", {}, label(name)));
}

export const when = (text, shown = shownDay) => el("time", { datetime: text, title: `${shownMoment(text)} UTC` }, shown(text));

/** Show a memory in a list. */
export function memoryCard(memory, { matches = [], extra = null, score = null, shown = shownDay } = {}) {
  const isCut = memory.length === undefined ? false : memory.text.length < memory.length;
  const text = isCut ? `${memory.text} …` : cut(memory.text, 600);
  const link = foreign("a", text, { class: "card-text", href: hash("memory", [memory.memory_id]) }, matches);
  return el("li", { class: "card item" },
    link,
    el("div", { class: "meta" },
      score,
      when(memory.timestamp, shown),
      memory.source ? sourceLink(memory.source) : null,
      memory.is_pinned ? el("span", { class: "chip pinned" }, "pinned") : null,
      memory.tags.map(tagLink)),
    extra);
}

/** Say that there is nothing, and what to do about it. */
export function empty(title, ...next) {
  return el("div", { class: "empty" }, el("p", { class: "empty-title" }, title), ...next);
}

/** Say in words what went wrong. */
export function failure(error, retry = null) {
  const again = retry && el("button", { type: "button", on: { click: retry } }, "Try again");
  return el("div", { class: "failure", role: "alert" }, el("p", { dir: "auto" }, error.message), again);
}

/** Say that something is on its way. */
export function loading(text = "Loading …") {
  return el("p", { class: "loading" }, text);
}

/** Say what a tool has noted about its answer. */
export function notice(text) {
  return text ? el("p", { class: "notice", dir: "auto" }, text) : null;
}

/** Tell everybody, also those who do not see the page, what has happened. */
export function say(text) {
  document.getElementById("status").textContent = text;
}

let hiding = 0;

/** Show for a few seconds what was done. */
export function toast(text) {
  const node = document.getElementById("toast");
  node.textContent = text;
  node.classList.add("shown");
  clearTimeout(hiding);
  hiding = setTimeout(() => node.classList.remove("shown"), 5000);
}

/** Ask before something that cannot be undone; resolve to what was ticked, or null. */
export function confirmed(title, about, verb, options = []) {
  const boxes = options.map(({ name, text }) => ({ name, box: el("input", { type: "checkbox", name }), text }));
  const yes = el("button", { type: "button", class: "danger" }, verb);
  const no = el("button", { type: "button", class: "quiet" }, "Cancel");
  const dialog = el("dialog", { "aria-labelledby": "dialog-title" },
    el("h2", { id: "dialog-title" }, title),
    typeof about === "string" ? el("p", { dir: "auto" }, about) : about,
    boxes.map(({ box, text }) => el("label", { class: "check" }, box, text)),
    el("div", { class: "actions" }, no, yes));
  document.body.append(dialog);
  return new Promise((resolve) => {
    let answer = null;
    yes.addEventListener("click", () => {
      answer = Object.fromEntries(boxes.map(({ name, box }) => [name, box.checked]));
      dialog.close();
    });
    no.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => { dialog.remove(); resolve(answer); });
    dialog.showModal();
    no.focus();
  });
}

/** Label a control. */
export function field(text, control, hint = "") {
  return el("label", { class: "field" }, el("span", {}, text), control, hint ? el("small", {}, hint) : null);
}

/** Run something slow that belongs to a button, which waits meanwhile. */
export async function busy(button, work) {
  const before = button.textContent;
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  try {
    return await work();
  } finally {
    button.disabled = false;
    button.removeAttribute("aria-busy");
    if (button.textContent !== before) button.textContent = before;
  }
}

/** The form of filters that search and timeline share. */
export function filterForm(query, known, changed) {
  const tag = el("input", { name: "tag", value: query.get("tag") ?? "", list: "known-tags", autocomplete: "off" });
  const source = el("input", { name: "source", value: query.get("source") ?? "", list: "known-sources", autocomplete: "off" });
  const from = el("input", { type: "date", name: "from", value: query.get("from") ?? "" });
  const to = el("input", { type: "date", name: "to", value: query.get("to") ?? "" });
  const inputs = { tag, source, from, to };
  const read = () => Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()]));
  const clear = el("button", { type: "button", class: "quiet" }, "Clear");
  const summary = el("summary", {}, "Filters");
  const form = el("form", { class: "filter-form", on: { submit: (event) => event.preventDefault() } },
    field("Tags", tag, "several: separate with commas"), field("Source", source), field("From", from), field("To", to),
    clear, el("datalist", { id: "known-tags" }), el("datalist", { id: "known-sources" }));
  const box = el("details", { class: "filters" }, summary, form);
  const tell = () => {
    const active = Object.values(read()).filter(Boolean).length;
    summary.textContent = active ? `Filters (${active})` : "Filters";
  };
  box.open = Object.values(read()).some(Boolean);
  tell();
  form.addEventListener("input", () => { tell(); changed(read()); });
  clear.addEventListener("click", () => { form.reset(); for (const input of Object.values(inputs)) input.value = ""; tell(); changed(read()); });
  known.then(({ tags, sources }) => {
    for (const [id, names] of [["known-tags", tags], ["known-sources", sources]]) {
      const list = form.querySelector(`#${id}`);
      if (list) fill(list, names.map((name) => el("option", { value: name })));
    }
  }).catch(() => {});
  return { box, read };
}

/** Put the values of the filter form as the tools want them. */
export function toolFilters({ tag, source, from, to }) {
  const tags = tag.split(",").map((one) => one.trim()).filter(Boolean);
  const filters = {};
  if (tags.length) filters.tags = tags;
  if (source) filters.source = source;
  if (from) filters.date_from = from;
  if (to) filters.date_to = to;
  return Object.keys(filters).length ? { filters } : {};
}
