// Search as one types; every result says why it was found.

import { debounced, el, fill, hash } from "./dom.js";
import { percent, plural, words } from "./format.js";
import { knownNames } from "./known.js";
import { ToolFailed } from "./mcp.js";
import { empty, failure, filterForm, foreign, head, memoryCard, notice, say, toolFilters } from "./parts.js";

const PAGE = 20;
const MOST = 100;
const PAUSE_MS = 160;
const WARMING_MS = 700;

/** Show the search. */
export async function show(root, { tools, route, signal }) {
  const box = el("input", {
    type: "search", name: "q", value: route.query.get("q") ?? "", dir: "auto", autocomplete: "off",
    "aria-label": "Search memories", placeholder: "Ask as you would ask a person who was there",
  });
  const results = el("div", { class: "results", "aria-busy": "true" });
  const asked = { limit: PAGE, running: null };
  const filters = filterForm(route.query, knownNames(tools), () => soon());

  const address = () => hash("search", [], { q: box.value.trim(), ...filters.read() });
  const run = async () => {
    asked.running?.abort();
    asked.running = new AbortController();
    const own = AbortSignal.any([signal, asked.running.signal]);
    results.setAttribute("aria-busy", "true");
    try {
      const shown = box.value.trim() ? await found(tools, box.value.trim(), filters.read(), asked, own, run)
        : await latest(tools, filters.read(), own, run);
      if (own.aborted) return;
      fill(results, shown);
    } catch (error) {
      if (own.aborted) return;
      if (!(error instanceof ToolFailed)) throw error;
      fill(results, failure(error, run));
    }
    results.removeAttribute("aria-busy");
  };
  const soon = debounced(() => {
    asked.limit = PAGE;
    if (signal.aborted) return;
    history.replaceState(null, "", address());
    run();
  }, PAUSE_MS);

  box.addEventListener("input", soon);
  const form = el("form", { class: "search-form", role: "search" }, box);
  form.addEventListener("submit", (event) => { event.preventDefault(); soon(); });
  fill(root, head("Search", "Everything the agents remember, by meaning and by words."), form, filters.box, results);
  if (!matchMedia("(pointer: coarse)").matches) box.focus({ preventScroll: true });
  await run();
}

async function latest(tools, filters, signal, again) {
  const page = await tools.call("list_memories", { limit: PAGE, order: "last_added", ...toolFilters(filters) }, signal);
  if (!page.memories.length && page.notice) {
    setTimeout(() => signal.aborted || again(), WARMING_MS); // the server has just been started
    return notice(page.notice);
  }
  if (!page.memories.length) return nothingYet(filters);
  say(`${plural(page.total, "memory", "memories")}`);
  return [
    el("h2", { class: "section" }, "Last remembered ", el("span", { class: "quiet-text" }, `of ${plural(page.total, "memory", "memories")}`)),
    el("ol", { class: "list" }, page.memories.map((memory) => memoryCard(memory))),
    el("p", { class: "more" }, el("a", { href: hash("timeline", [], filters) }, "All of them, day by day")),
  ];
}

function nothingYet(filters) {
  if (Object.values(filters).some(Boolean)) return empty("No memory passes these filters.", el("p", {}, "Take one away, or widen the dates."));
  return empty("Nothing is remembered yet.",
    el("p", {}, "Connect an agent and tell it something worth keeping, or store a first memory from the shell:"),
    el("pre", {}, "zapomni install\nzapomni add \"We ship on Thursdays\""));
}

async function found(tools, query, filters, asked, signal, again) {
  const wanted = { query, limit: asked.limit, explain: true, ...toolFilters(filters) };
  const answer = await tools.call("search_memory", wanted, signal);
  say(answer.count ? `${plural(answer.count, "result")} for ${query}` : "No results");
  if (!answer.count) return [notice(answer.notice), nothingFound(query, filters)];
  const isFull = answer.count >= asked.limit && asked.limit < MOST;
  const more = el("button", { type: "button", class: "quiet" }, "Show more");
  more.addEventListener("click", () => { asked.limit = Math.min(MOST, asked.limit * 2); again(); });
  return [
    notice(answer.notice),
    el("h2", { class: "section" }, plural(answer.count, "result")),
    el("ol", { class: "list" }, answer.results.map(hit)),
    isFull ? el("p", { class: "more" }, more) : null,
  ];
}

function nothingFound(query, filters) {
  const isFiltered = Object.values(filters).some(Boolean);
  return empty("Nothing was found.", el("p", {}, isFiltered
    ? "The filters leave nothing over; take one away."
    : "Try other words, or a whole question. Names work as well."));
}

function hit(result) {
  const why = result.why;
  const matches = why ? why.matched_words : [];
  return memoryCard(result, { matches, score: score(result), extra: [stale(result), why ? explained(result, why) : null] });
}

function score(result) {
  const text = percent(result.similarity_score);
  return el("span", { class: "score", title: "How likely it answers the question" },
    el("meter", { min: 0, max: 1, value: result.similarity_score, "aria-label": `Likely ${text}` }), text);
}

function stale(result) {
  const changed = result.code.filter((code) => code.is_stale);
  return changed.length ? el("p", { class: "warning", dir: "auto" }, `May be out of date: ${changed.map((code) => `${code.name} (${code.path}): ${code.why}`).join("; ")}`) : null;
}

function explained(result, why) {
  const rows = [
    ["Meaning", why.similarity === null ? null : `similarity ${why.similarity.toFixed(2)}${why.vector_rank ? `, rank ${why.vector_rank}` : ""}`],
    ["Words", why.matched_words.length ? `${why.matched_words.join(", ")}${why.word_rank ? ` (rank ${why.word_rank})` : ""}` : null],
    ["Time", why.period ? `“${why.period}” was read as a time` : null],
    ["Before it", why.before],
    ["After it", why.after],
    ["Same as", result.also_in.length ? plural(result.also_in.length, "other memory", "other memories") : null],
  ].filter(([, value]) => value);
  return el("details", { class: "why" }, el("summary", {}, `Why: ${reason(why)}`),
    el("dl", {}, rows.map(([name, value]) => [el("dt", {}, name), foreign("dd", value)])),
    parts(why.added));
}

function reason(why) {
  const legs = [];
  if (why.vector_rank) legs.push(`close in meaning (${why.vector_rank}.)`);
  if (why.matched_words.length) legs.push(`has ${plural(why.matched_words.length, "word")} of the question`);
  if (why.period) legs.push("right time");
  return legs.join(", ") || "stands beside what was found";
}

function parts(added) {
  const given = Object.entries(added).filter(([, value]) => value > 0);
  const most = Math.max(...given.map(([, value]) => value), 0.001);
  return el("div", { class: "bars" }, given.map(([name, value]) => el("div", { class: "bar-row" },
    el("span", {}, words(name)), el("meter", { min: 0, max: most, value, "aria-label": `${words(name)} added ${value.toFixed(3)}` }),
    el("span", { class: "number" }, value.toFixed(3)))));
}
