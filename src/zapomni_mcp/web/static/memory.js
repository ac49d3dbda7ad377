// One memory as a whole: what it says, where it comes from, what it said before, and its end.

import { el, fill, hash } from "./dom.js";
import { label, plural, shownMoment, words } from "./format.js";
import { ToolFailed } from "./mcp.js";
import { busy, confirmed, entityLink, failure, field, foreign, head, sourceLink, tagLink, toast, when } from "./parts.js";

const NAMES_ASKED = 6;

/** Show the memory that the address names. */
export async function show(root, { tools, route, signal }) {
  const id = route.parts[0] ?? "";
  const again = () => show(root, { tools, route, signal });
  let memory;
  try {
    memory = await tools.call("get_memory", { memory_id: id }, signal);
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error;
    fill(root, head("Memory"), failure(error), el("p", {}, el("a", { href: "#/search" }, "Search the memory")));
    return;
  }
  const facts = el("div", { class: "facts" });
  const text = foreign("div", memory.text, { class: "memory-text" });
  fill(root,
    el("p", { class: "crumb" }, el("a", { href: "#/timeline" }, "Timeline"), " / ", when(memory.timestamp)),
    head("Memory", "", actions(root, tools, memory, again)),
    el("article", { class: "memory" }, text),
    provenance(memory),
    mentioned(memory, facts),
    code(memory),
    history(memory));
  if (memory.names.length) tellFacts(facts, tools, memory, signal);
}

function actions(root, tools, memory, again) {
  const edit = el("button", { type: "button" }, "Edit");
  const pin = el("button", { type: "button", class: "quiet" }, memory.is_pinned ? "Unpin" : "Pin");
  const forget = el("button", { type: "button", class: "quiet danger-text" }, "Forget");
  edit.addEventListener("click", () => editing(root, tools, memory, again));
  pin.addEventListener("click", () => busy(pin, async () => {
    await tools.call("update_memory", { memory_id: memory.memory_id, metadata: { pinned: !memory.is_pinned } });
    toast(memory.is_pinned ? "It is no longer pinned." : "Pinned: it never expires.");
    await again();
  }));
  forget.addEventListener("click", () => forgetting(tools, memory));
  return el("div", { class: "actions" }, edit, pin, forget);
}

async function forgetting(tools, memory) {
  const about = "The text, its history and what only it says go for good. This cannot be undone.";
  const erase = { name: "erase", text: "Also rewrite the files, so that nothing is left on disk" };
  const answer = await confirmed("Forget this memory?", about, "Forget", [erase]);
  if (!answer) return;
  const gone = await tools.call("delete_memory", { memory_id: memory.memory_id, confirm: true, erase: answer.erase });
  toast(`Forgotten. ${gone.notice ?? ""}`);
  location.hash = "#/timeline";
}

function editing(root, tools, memory, again) {
  const text = el("textarea", { name: "text", dir: "auto", rows: Math.min(24, 4 + memory.text.length / 70), value: memory.text });
  const tags = el("input", { name: "tags", value: memory.tags.join(", "), autocomplete: "off" });
  const source = el("input", { name: "source", value: memory.source, autocomplete: "off" });
  const problem = el("div");
  const save = el("button", {}, "Save");
  const cancel = el("button", { type: "button", class: "quiet", on: { click: again } }, "Cancel");
  const form = el("form", { class: "edit" }, field("Text", text), field("Tags", tags, "separate with commas"),
    field("Source", source), problem, el("div", { class: "actions" }, save, cancel));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy(save, async () => {
      const changed = changes(memory, text.value, tags.value, source.value);
      if (!changed) return again();
      try {
        const done = await tools.call("update_memory", changed);
        toast(hiddenSecrets(done.secrets_hidden) || "Saved. What it said before is kept as history.");
        await again();
      } catch (error) {
        fill(problem, failure(error));
      }
    });
  });
  fill(root, head("Edit the memory", "What it says now stays in its history."), form);
  text.focus();
}

function changes(memory, text, tags, source) {
  const wanted = { memory_id: memory.memory_id };
  const metadata = {};
  const list = tags === memory.tags.join(", ") ? memory.tags : tags.split(",").map((tag) => tag.trim()).filter(Boolean);
  if (text !== memory.text) wanted.text = text;
  if (list.join("\n") !== memory.tags.join("\n")) metadata.tags = list;
  if (source !== memory.source) metadata.source = source;
  if (Object.keys(metadata).length) wanted.metadata = metadata;
  return Object.keys(wanted).length > 1 ? wanted : null;
}

function hiddenSecrets(found) {
  const kinds = Object.keys(found ?? {});
  return kinds.length ? `Saved. Not stored, because it looks secret: ${kinds.join(", ")}.` : "";
}

function provenance(memory) {
  const shown = new Set(["source", "tags", "timestamp", "pinned"]);
  const others = Object.entries(memory.metadata).filter(([name]) => !shown.has(name));
  const rows = [
    ["Said", `${shownMoment(memory.timestamp)} UTC`],
    ["Stored", `${shownMoment(memory.created_at)} UTC`],
    ["Changed", memory.changed_at && `${shownMoment(memory.changed_at)} UTC`],
    ["Expires", memory.is_pinned ? "never: it is pinned" : memory.expires_at && `${shownMoment(memory.expires_at)} UTC`],
    ["Source", memory.source && sourceLink(memory.source)],
    ["Tags", memory.tags.length && el("span", { class: "chips" }, memory.tags.map(tagLink))],
    ["Says nearly the same as", memory.similar_to && el("a", { href: hash("memory", [memory.similar_to]) }, "another memory")],
    ["Length", `${plural(memory.length, "character")} in ${plural(memory.chunks.length, "piece")}`],
    ...others.map(([name, value]) => [label(words(name)), el("bdi", {}, label(typeof value === "string" ? value : JSON.stringify(value)))]),
    ["Id", el("code", {}, memory.memory_id)],
  ].filter(([, value]) => value);
  return section("Where it comes from", el("dl", { class: "rows" }, rows.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])));
}

function section(title, ...content) {
  return el("section", {}, el("h2", { class: "section" }, title), ...content);
}

function mentioned(memory, facts) {
  if (!memory.names.length) return null;
  return section("Who and what it mentions", el("p", { class: "chips" }, memory.names.map(entityLink)), facts);
}

async function tellFacts(place, tools, memory, signal) {
  const asked = memory.names.slice(0, NAMES_ASKED).map((entity) => tools.call("get_related", { entity, limit: 50 }, signal).catch(() => null));
  const told = new Map();
  for (const answer of await Promise.all(asked)) {
    for (const relation of answer?.relations ?? []) {
      if (!relation.fact_id || !relation.evidence.some((each) => each.memory_id === memory.memory_id)) continue;
      told.set(relation.fact_id, sentence(answer.entity.name, relation));
    }
  }
  if (!signal.aborted && told.size) fill(place, el("h3", {}, "Facts read out of it"), el("ul", { class: "plain" }, [...told.values()]));
}

function sentence(name, relation) {
  const [from, to] = relation.is_outgoing ? [name, relation.entity.name] : [relation.entity.name, name];
  const status = relation.status === "current" ? null : el("span", { class: "chip" }, relation.status);
  return el("li", {}, entityLink(from), ` ${words(relation.predicate)} `, entityLink(to), " ", status);
}

function code(memory) {
  if (!memory.code.length) return null;
  const rows = memory.code.map((each) => el("li", {},
    el("a", { href: hash("code", ["symbol"], { symbol: each.name, repository: each.repository }) }, el("code", {}, label(each.name))),
    ` in ${each.repository}, ${each.path}:${each.line} `,
    each.is_stale ? el("span", { class: "chip warning" }, each.why ?? "has changed since") : null));
  return section("Code it speaks of", el("ul", { class: "plain" }, rows));
}

function history(memory) {
  if (!memory.history.length) return null;
  const versions = memory.history.map((version) => el("li", {},
    el("p", { class: "quiet-text" }, `${shownMoment(version.since)} to ${shownMoment(version.until)} UTC`),
    foreign("div", version.text, { class: "memory-text old" })));
  return section("What it said before", el("ol", { class: "plain versions" }, versions));
}
