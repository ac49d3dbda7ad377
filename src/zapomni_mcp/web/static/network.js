// What is known of the graph so far: entities, links, and which of them were walked to.

const AT_ONCE = 4;
const MOST_ASKED = 60;

/** Entities and links that the tools have told. */
export class Network {
  constructor(tools) {
    this.tools = tools;
    this.nodes = new Map();
    this.links = new Map();
    this.walked = new Map(); // id -> what get_related answered
    this.asOf = "";
  }

  /** Walk to an entity by its name or id, and return what is known of it. */
  async walk(entity, limit, signal) {
    const wanted = { entity, limit, ...(this.asOf ? { as_of: this.asOf } : {}) };
    const answer = await this.tools.call("get_related", wanted, signal);
    if (answer.entity) {
      this.walked.set(answer.entity.id, answer);
      this.#take(answer);
    }
    return answer;
  }

  /** Walk to several entities, a few at a time. */
  async walkAll(entities, limit, signal) {
    const left = [...entities];
    const next = async () => {
      while (left.length && !signal?.aborted) await this.walk(left.shift(), limit, signal);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
  }

  /** See everything again as of another time. */
  async travel(asOf, limit, signal) {
    const again = [...this.walked.keys()];
    this.asOf = asOf;
    this.nodes.clear();
    this.links.clear();
    this.walked.clear();
    await this.walkAll(again, limit, signal);
  }

  /** Take a whole graph as export_graph writes it, those that most texts name first. */
  takeAll({ entities, facts }, most) {
    const chosen = entities.sort((one, other) => other.mentions - one.mentions).slice(0, most);
    for (const entity of chosen) this.nodes.set(entity.id, entity);
    for (const fact of facts) {
      if (this.nodes.has(fact.source) && this.nodes.has(fact.target)) {
        this.links.set(fact.id, { source: fact.source, target: fact.target, predicate: fact.predicate, isFact: true });
      }
    }
    return chosen.length;
  }

  /** Find the shortest way between two entities by walking from both; null if none is found. */
  async path(from, to, signal) {
    const sides = [];
    for (const name of [from, to]) {
      const answer = await this.walk(name, 100, signal);
      if (!answer.entity) return { missing: name, suggestions: answer.suggestions };
      sides.push({ cameFrom: new Map([[answer.entity.id, null]]), edge: [answer.entity.id] });
    }
    const ends = sides.map((side) => side.edge[0]);
    let asked = 2;
    for (;;) {
      const meeting = [...sides[0].cameFrom.keys()].find((id) => sides[1].cameFrom.has(id));
      if (meeting) return { steps: [...this.#trail(sides[0], meeting).reverse(), ...this.#trail(sides[1], meeting).slice(1)], ends };
      const [near, far] = sides[0].edge.length <= sides[1].edge.length ? sides : [sides[1], sides[0]];
      const side = near.edge.length ? near : far;
      if (!side.edge.length || asked > MOST_ASKED) return { steps: null, ends, isCutOff: asked > MOST_ASKED };
      asked += await this.#widen(side, Math.max(1, MOST_ASKED - asked + 1), signal);
    }
  }

  async #widen(side, most, signal) {
    const unknown = side.edge.filter((id) => !this.walked.has(id)).slice(0, most);
    await this.walkAll(unknown, 100, signal);
    const next = [];
    for (const id of side.edge) {
      for (const { entity } of this.walked.get(id)?.relations ?? []) {
        if (side.cameFrom.has(entity.id)) continue;
        side.cameFrom.set(entity.id, id);
        next.push(entity.id);
      }
    }
    side.edge = next;
    return Math.max(1, unknown.length);
  }

  #trail(side, id) {
    const ids = [];
    for (let at = id; at; at = side.cameFrom.get(at)) ids.push(at);
    return ids;
  }

  #take({ entity, relations }) {
    this.nodes.set(entity.id, entity);
    for (const relation of relations) {
      const other = relation.entity;
      if (!this.nodes.has(other.id)) this.nodes.set(other.id, other);
      const [source, target] = relation.is_outgoing ? [entity.id, other.id] : [other.id, entity.id];
      const pair = [entity.id, other.id].sort().join(" ");
      this.links.set(relation.fact_id ?? pair, { source, target, predicate: relation.predicate, isFact: relation.fact_id !== null });
    }
  }
}
