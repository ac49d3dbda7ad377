// The graph one can walk: press a name to go on from it, filter, go back in time, find a path.

import { GraphCanvas } from "./canvas.js";
import { debounced, el, fill, hash } from "./dom.js";
import { entityPanel } from "./entity.js";
import { count, label, plural, shownDay, words } from "./format.js";
import { Network } from "./network.js";
import { busy, empty, failure, field, head, loading, say, toast } from "./parts.js";

const START_WITH = 5;
const AROUND_START = 14;
const AROUND = 40;
const NEIGHBOURS = 8;
const AROUND_NEIGHBOUR = 10;
const MOST_NODES = 2000;
const DAY_MS = 86_400_000;

/** Show the graph. */
export async function show(root, { tools, route, signal }) {
  const status = await tools.call("graph_status", {}, signal);
  if (signal.aborted) return;
  if (!status.entities) {
    fill(root, head("Graph"), nothingYet(tools, status));
    return;
  }
  await new GraphView(root, tools, status, signal).start(route.query);
}

function nothingYet(tools, status) {
  const button = el("button", { type: "button" }, "Read the memories now");
  button.addEventListener("click", () => {
    tools.call("build_graph", {}).catch((error) => toast(error.message));
    location.hash = "#/jobs";
  });
  return status.memories_total
    ? empty("No person or thing is known yet.", el("p", {}, `${plural(status.memories_total, "memory waits", "memories wait")} to be read for names and facts.`), button)
    : empty("Nothing is remembered yet.", el("p", {}, "The graph grows by itself with every memory that names somebody or something."));
}

class GraphView {
  constructor(root, tools, status, signal) {
    Object.assign(this, { root, tools, status, signal });
    this.network = new Network(tools);
    this.hidden = new Set();
    this.chosen = null;
    this.picture = el("canvas", { class: "graph-canvas", role: "img", "aria-label": "Graph" });
    this.panel = el("aside", { class: "panel", "aria-label": "Chosen entity", tabindex: "-1" }, loading());
    this.legend = el("div", { class: "legend", role: "group", "aria-label": "Types shown" });
    this.canvas = new GraphCanvas(this.picture, { pressed: (node) => this.walk(node.id), signal });
  }

  async start(query) {
    this.#lay();
    if (query.get("as_of")) this.network.asOf = query.get("as_of");
    this.#slider(query.get("as_of") ?? "").catch(() => {});
    if (query.get("from") && query.get("to")) return this.#findPath(query.get("from"), query.get("to"));
    if (query.get("entity")) return this.walk(query.get("entity"), { isFirst: true });
    const top = this.status.top_entities.slice(0, START_WITH);
    await this.network.walkAll(top.map((one) => one.id), AROUND_START, this.signal);
    if (this.signal.aborted) return;
    this.#load();
    this.#greet();
  }

  #lay() {
    const find = el("input", { name: "entity", list: "entity-names", autocomplete: "off", dir: "auto", placeholder: "A person, place, firm …" });
    const names = el("datalist", { id: "entity-names" }, this.status.top_entities.map((one) => el("option", { value: one.name })));
    const go = el("form", { class: "go" }, field("Start from", find), el("button", {}, "Go"), names);
    go.addEventListener("submit", (event) => { event.preventDefault(); if (find.value.trim()) this.walk(find.value.trim()); });
    find.addEventListener("input", debounced(() => this.#suggest(find.value.trim(), names), 250));
    this.time = el("div", { class: "time" });
    const zoom = [["+", "Zoom in", () => this.canvas.zoomBy(1.4)], ["−", "Zoom out", () => this.canvas.zoomBy(1 / 1.4)], ["⤢", "Show everything", () => { this.canvas.isFitted = false; this.canvas.draw(); }]]
      .map(([sign, name, act]) => el("button", { type: "button", class: "quiet", "aria-label": name, title: name, on: { click: act } }, sign));
    const whole = el("button", { type: "button", class: "quiet", on: { click: () => busy(whole, () => this.#all()) } }, "Whole graph");
    fill(this.root,
      head("Graph", `${plural(this.status.entities, "person or thing", "people and things")}, ${plural(this.status.facts, "fact")}. Press a name to walk on from it.`, el("div", { class: "actions" }, whole)),
      el("div", { class: "graph-tools" }, go, this.#pathForm(), this.time),
      this.legend,
      el("div", { class: "graph-stage" }, el("div", { class: "picture" }, this.picture, el("div", { class: "zoom" }, zoom)), this.panel));
  }

  #pathForm() {
    this.from = el("input", { name: "from", list: "entity-names", autocomplete: "off", dir: "auto" });
    this.to = el("input", { name: "to", list: "entity-names", autocomplete: "off", dir: "auto" });
    const button = el("button", { class: "quiet" }, "Find path");
    const form = el("form", { class: "path-form" }, field("Path from", this.from), field("to", this.to), button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const [from, to] = [this.from.value.trim(), this.to.value.trim()];
      if (from && to) busy(button, () => this.#findPath(from, to));
    });
    return form;
  }

  async #suggest(text, names) {
    if (text.length < 2) return;
    const answer = await this.tools.call("get_related", { entity: text, limit: 1 }, this.signal).catch(() => null);
    if (answer && !this.signal.aborted) fill(names, (answer.entity ? [answer.entity.name] : answer.suggestions).map((value) => el("option", { value })));
  }

  /** Go to an entity, and show what is known of it. */
  async walk(entity, { isFirst = false } = {}) {
    let answer;
    try {
      answer = await this.network.walk(typeof entity === "string" ? entity : entity.id, AROUND, this.signal);
    } catch (error) {
      if (!this.signal.aborted) fill(this.panel, failure(error));
      return;
    }
    if (this.signal.aborted) return;
    if (!answer.entity) return this.#unknown(entity, answer.suggestions);
    this.chosen = answer.entity;
    if (!isFirst) history.pushState(null, "", hash("graph", [], { entity: answer.entity.name, as_of: this.network.asOf }));
    this.hidden.delete(answer.entity.type);
    this.#load();
    this.canvas.mark({ chosen: answer.entity.id });
    this.#tell(answer);
    if (isFirst) await this.#lookAround(answer);
  }

  async #lookAround(answer) {
    // A star says little: show how those around it hang together.
    const near = answer.relations.slice(0, NEIGHBOURS).map((relation) => relation.entity.id);
    await this.network.walkAll(near, AROUND_NEIGHBOUR, this.signal).catch(() => {});
    if (!this.signal.aborted) this.#load();
  }

  #tell(answer) {
    fill(this.panel, entityPanel(answer, (other) => this.walk(other), this.tools, () => this.walk(answer.entity)));
    this.panel.scrollTop = 0;
    this.from.value ||= answer.entity.name;
    say(`${answer.entity.name}: ${plural(answer.relations.length, "relation")}`);
    if (this.panel.matches(":has(:focus)") || document.activeElement === document.body) this.panel.focus({ preventScroll: true });
  }

  #unknown(name, suggestions) {
    const buttons = suggestions.map((one) => el("button", { type: "button", class: "quiet", on: { click: () => this.walk(one) } }, el("bdi", {}, label(one))));
    fill(this.panel, empty("Nothing is known under that name.", suggestions.length ? el("p", {}, "Did you mean:") : el("p", {}, "Try another spelling, or a name that a memory has."), buttons));
    say("Nothing is known under that name.");
  }

  #greet() {
    const buttons = this.status.top_entities.map((one) => el("li", { class: "item" },
      el("button", { type: "button", class: "link", on: { click: () => this.walk(one.id) } }, el("span", { class: `dot type-${one.type}` }), el("bdi", {}, label(one.name))),
      el("span", { class: "quiet-text" }, ` in ${plural(one.mentions, "text")}`)));
    fill(this.panel, el("h2", {}, "Most named"), el("ul", { class: "plain relations" }, buttons));
  }

  #load() {
    const { network } = this;
    const shown = [...network.nodes.values()].filter((node) => !this.hidden.has(node.type));
    this.canvas.load(shown, [...network.links.values()]);
    this.picture.setAttribute("aria-label", `Graph of ${plural(shown.length, "name")}; the list beside it holds the same`);
    this.picture.dataset.nodes = shown.length;
    this.#drawLegend();
  }

  #drawLegend() {
    const counts = new Map();
    for (const node of this.network.nodes.values()) counts.set(node.type, (counts.get(node.type) ?? 0) + 1);
    // Buttons stay the same ones: whoever has the focus on one keeps it.
    const there = new Map([...this.legend.children].map((button) => [button.dataset.type, button]));
    for (const [type, button] of there) if (!counts.has(type)) button.remove();
    for (const [type, number] of counts) {
      const button = there.get(type) ?? this.legend.appendChild(this.#legendButton(type));
      button.lastChild.textContent = `${words(type)} ${count(number)}`;
      button.setAttribute("aria-pressed", String(!this.hidden.has(type)));
    }
  }

  #legendButton(type) {
    const button = el("button", { type: "button", class: "quiet small", data: { type } }, el("span", { class: `dot type-${type}` }), el("span", {}));
    button.addEventListener("click", () => {
      if (!this.hidden.delete(type)) this.hidden.add(type);
      this.#load();
    });
    return button;
  }

  async #slider(asOf) {
    const [first, last] = await Promise.all(["oldest", "newest"].map((order) => this.tools.call("list_memories", { order, limit: 1 }, this.signal)));
    if (!first.memories.length || this.signal.aborted) return;
    const start = Math.floor(Date.parse(first.memories[0].timestamp) / DAY_MS);
    const end = Math.max(start + 1, Math.floor(Date.parse(last.memories[0].timestamp) / DAY_MS) + 1);
    const day = (at) => new Date(at * DAY_MS).toISOString().slice(0, 10);
    const given = asOf ? Math.floor(Date.parse(asOf) / DAY_MS) : end;
    const range = el("input", { type: "range", name: "as_of", min: start, max: end, value: given || end });
    const shown = el("output", {});
    const tell = () => {
      const text = Number(range.value) >= end ? "now" : shownDay(day(range.value));
      shown.textContent = text;
      range.setAttribute("aria-valuetext", text);
    };
    const travel = debounced(() => this.#travel(Number(range.value) >= end ? "" : day(range.value)), 200);
    range.addEventListener("input", () => { tell(); travel(); });
    tell();
    fill(this.time, field("What was known", range), shown);
  }

  async #travel(asOf) {
    if (this.isWhole) { toast("Walk from a name first: the whole graph has no past."); return; }
    try {
      await this.network.travel(asOf, this.chosen ? AROUND : AROUND_START, this.signal);
    } catch (error) {
      if (!this.signal.aborted) fill(this.panel, failure(error));
      return;
    }
    if (this.signal.aborted) return;
    history.replaceState(null, "", hash("graph", [], { entity: this.chosen?.name, as_of: asOf }));
    this.#load();
    const answer = this.chosen && this.network.walked.get(this.chosen.id);
    if (answer) this.#tell(answer);
    say(asOf ? `As of ${shownDay(asOf)}: ${plural(this.network.links.size, "relation")}` : "As of now");
  }

  async #all() {
    try {
      const exported = await this.tools.call("export_graph", { format: "json" }, this.signal);
      this.network = new Network(this.tools);
      const number = this.network.takeAll(JSON.parse(exported.content), MOST_NODES);
      this.isWhole = true;
      this.canvas.isFitted = false;
      this.#load();
      say(`${plural(number, "name")} of ${count(exported.entities)}`);
    } catch (error) {
      if (!this.signal.aborted) fill(this.panel, failure(error));
    }
  }

  async #findPath(from, to) {
    [this.from.value, this.to.value] = [from, to];
    fill(this.panel, el("p", { class: "loading" }, "Walking …"));
    let found;
    try {
      found = await this.network.path(from, to, this.signal);
    } catch (error) {
      if (!this.signal.aborted) fill(this.panel, failure(error));
      return;
    }
    if (this.signal.aborted) return;
    if (found.missing) return this.#unknown(found.missing, found.suggestions);
    if (!found.steps) {
      fill(this.panel, empty("No path was found.", el("p", {}, found.isCutOff ? "Not within the names that were looked at; they have many neighbours." : "Nothing that is known connects them.")));
      return;
    }
    history.pushState(null, "", hash("graph", [], { from, to, as_of: this.network.asOf }));
    this.#keepNear(found.steps);
    this.#load();
    this.canvas.mark({ chosen: null, path: new Set(found.steps) });
    this.#tellPath(found.steps);
  }

  #keepNear(steps) {
    // The search has seen far more than anybody wants to look at.
    const kept = new Set(steps);
    for (const id of steps) for (const { entity } of (this.network.walked.get(id)?.relations ?? []).slice(0, 8)) kept.add(entity.id);
    for (const id of this.network.nodes.keys()) if (!kept.has(id)) this.network.nodes.delete(id);
    for (const [key, link] of this.network.links) if (!kept.has(link.source) || !kept.has(link.target)) this.network.links.delete(key);
    for (const id of this.network.walked.keys()) if (!steps.includes(id)) this.network.walked.delete(id);
  }

  #tellPath(steps) {
    const names = steps.map((id) => this.network.nodes.get(id));
    const links = [...this.network.links.values()];
    const between = (one, other) => links.filter((link) => [link.source, link.target].includes(one.id) && [link.source, link.target].includes(other.id));
    const rows = names.map((node, at) => {
      const predicates = at ? [...new Set(between(names[at - 1], node).map((link) => words(link.predicate)))] : [];
      const button = el("button", { type: "button", class: "link", on: { click: () => this.walk(node.id) } }, el("span", { class: `dot type-${node.type}` }), el("bdi", {}, label(node.name)));
      return el("li", { class: "item" }, at ? el("span", { class: "quiet-text" }, `${predicates.join(", ")}: `) : null, button);
    });
    fill(this.panel, el("h2", {}, "Path"), el("p", { class: "quiet-text" }, plural(steps.length - 1, "step")), el("ol", { class: "plain path" }, rows));
    say(`Path of ${plural(steps.length - 1, "step")}`);
    this.panel.focus({ preventScroll: true });
  }
}
