// What is known of one person or thing, as a list: the graph for those who do not use the picture.

import { el, hash } from "./dom.js";
import { label, plural, shownDay, words } from "./format.js";
import { busy, empty, foreign, notice, toast } from "./parts.js";

const FIRST = 12;

/** Show an entity with its facts and whom it is named with; `walk` leads on. */
export function entityPanel(answer, walk, tools, again) {
  const { entity, relations } = answer;
  const facts = relations.filter((relation) => relation.fact_id);
  const others = relations.filter((relation) => !relation.fact_id);
  const aliases = entity.aliases?.length ? `, also ${entity.aliases.map(label).join(", ")}` : "";
  return [
    el("div", {},
      el("h2", { class: "entity-name" }, el("span", { class: `dot type-${entity.type}` }), foreign("bdi", label(entity.name))),
      el("p", { class: "quiet-text" }, `${entity.type}, named in ${plural(entity.mentions, "text")}${aliases}`)),
    notice(answer.notice),
    facts.length ? group("Facts", facts, (relation) => fact(entity, relation, walk, tools, again)) : null,
    others.length ? group("Named together with", others, (relation) => together(relation, walk)) : null,
    relations.length ? null : empty("Nothing else is known of it at this time."),
  ];
}

function group(title, relations, row) {
  const list = el("ul", { class: "plain relations" }, relations.slice(0, FIRST).map(row));
  const more = el("button", { type: "button", class: "quiet small" }, `Show ${relations.length - FIRST} more`);
  more.addEventListener("click", () => { list.append(...relations.slice(FIRST).map(row)); more.remove(); });
  return el("section", {}, el("h3", {}, `${title} (${relations.length})`), list, relations.length > FIRST ? more : null);
}

function step(other, walk) {
  const button = el("button", { type: "button", class: "link" }, el("span", { class: `dot type-${other.type}` }), el("bdi", {}, label(other.name)));
  button.addEventListener("click", () => walk(other));
  return button;
}

function together(relation, walk) {
  return el("li", { class: "item" }, step(relation.entity, walk), el("span", { class: "quiet-text" }, ` in ${plural(relation.strength, "text")}`), evidence(relation));
}

function fact(entity, relation, walk, tools, again) {
  const predicate = words(relation.predicate);
  const told = relation.is_outgoing ? [predicate, " ", step(relation.entity, walk)] : [step(relation.entity, walk), ` ${predicate} ${label(entity.name)}`];
  const times = [relation.since && `since ${shownDay(relation.since)}`, relation.until && `until ${shownDay(relation.until)}`].filter(Boolean).join(", ");
  const isHeld = relation.status === "current";
  return el("li", { class: "item" }, el("div", {}, told,
    times ? el("span", { class: "quiet-text" }, ` ${times}`) : null,
    isHeld ? null : el("span", { class: "chip warning" }, relation.status),
    relation.status === "superseded" ? keep(relation, tools, again) : null),
  isHeld || !relation.why ? null : el("p", { class: "quiet-text", dir: "auto" }, relation.why), evidence(relation));
}

function keep(relation, tools, again) {
  const button = el("button", { type: "button", class: "quiet small" }, "Still true");
  button.addEventListener("click", () => busy(button, async () => {
    await tools.call("keep_fact", { fact_id: relation.fact_id });
    toast("Kept: no newer fact replaces it.");
    await again();
  }));
  return button;
}

function evidence(relation) {
  if (!relation.evidence.length) return null;
  const quotes = relation.evidence.map((each) => el("blockquote", {}, foreign("p", each.text),
    el("a", { href: hash("memory", [each.memory_id]) }, `${shownDay(each.timestamp)}${each.source ? `, ${label(each.source)}` : ""}`)));
  return el("details", { class: "why" }, el("summary", {}, "who says so"), quotes);
}
