// How much is remembered, of what, since when, and how large it is.

import { el, fill, hash } from "./dom.js";
import { compact, count, duration, megabytes, percent, words } from "./format.js";
import { overview } from "./known.js";
import { empty, head } from "./parts.js";
import { dayBars, monthBars, namedBars } from "./plot.js";

/** Show the statistics. */
export async function show(root, { tools, signal }) {
  const [stats, graph, counts] = await Promise.all([
    tools.call("get_stats", {}, signal),
    tools.call("graph_status", {}, signal),
    overview(tools, {}, signal),
  ]);
  if (signal.aborted) return;
  const found = stats.statistics;
  if (!found.total_memories) {
    fill(root, head("Statistics"), empty("Nothing is remembered yet.", el("p", {}, "Numbers appear with the first memory.")));
    return;
  }
  fill(root,
    head("Statistics", `The database is ${words(found.database)} and ${found.state}.`),
    el("dl", { class: "tiles" }, tiles(found, graph)),
    counts && Object.keys(counts.by_day).length ? el("div", { class: "plots wide" }, dayBars(counts.by_day), monthBars(counts.by_day)) : null,
    el("div", { class: "plots" },
      counts && namedBars("By source", counts.by_source, { link: (source) => hash("timeline", [], { source }) }),
      counts && namedBars("By tag", counts.by_tag, { link: (tag) => hash("timeline", [], { tag }) }),
      Object.keys(graph.entities_by_type).length ? namedBars("People and things", graph.entities_by_type, { colour: (type) => `type-${type}` }) : null,
      graph.top_entities.length ? namedBars("Most named", Object.fromEntries(graph.top_entities.map((one) => [one.name, one.mentions])), { link: (entity) => hash("graph", [], { entity }) }) : null),
    el("section", {}, el("h2", { class: "section" }, "The machine behind it"), el("dl", { class: "rows" }, rows(found, graph))));
}

function tiles(found, graph) {
  return [
    ["Memories", count(found.total_memories)],
    ["People and things", count(graph.entities)],
    ["Facts", count(graph.facts)],
    ["In memory", megabytes(found.database_size_mb)],
    ["On disk", megabytes(found.disk_size_mb)],
    ["A search takes", found.avg_query_latency_ms === null ? "–" : duration(found.avg_query_latency_ms / 1000)],
  ].map(([name, value]) => el("div", { class: "tile" }, el("dt", {}, name), el("dd", {}, value)));
}

function rows(found, graph) {
  const read = graph.memories_total ? graph.memories_built / graph.memories_total : 1;
  return [
    ["Pieces", `${count(found.total_chunks)} (${(found.total_chunks / found.total_memories).toFixed(1)} a memory)`],
    ["Read for the graph", `${compact(graph.memories_built)} of ${compact(graph.memories_total)} memories (${percent(read)})`],
    ["Model", found.embedding_dimension ? `${found.embedding_model}, ${found.embedding_dimension} dimensions` : found.embedding_model],
    ["Reader", graph.extractor],
    ["Embeddings found in the cache", found.cache_hit_rate === null ? "–" : percent(found.cache_hit_rate)],
    ["Connections in use", `${found.pool_in_use} of ${found.pool_size}`],
    ["Graph name", found.graph_name],
  ].map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]);
}
