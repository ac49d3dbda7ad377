// Indexed code: repositories, what each is made of, symbols, and who calls them.

import { debounced, el, fill, hash } from "./dom.js";
import { count, label, plural, shownMoment } from "./format.js";
import { ToolFailed } from "./mcp.js";
import { busy, empty, failure, field, foreign, head, notice, say, toast, when } from "./parts.js";
import { namedBars } from "./plot.js";

const PAUSE_MS = 200;

/** Show repositories, one of them, or a symbol. */
export async function show(root, context) {
  const [what, name] = context.route.parts;
  if (what === "symbol") return symbolView(root, context);
  if (what === "repository" && name) return repositoryView(root, context, name);
  return repositoriesView(root, context);
}

async function repositoriesView(root, { tools, route, signal }) {
  const status = await tools.call("code_status", {}, signal);
  if (signal.aborted) return;
  const cards = status.repositories.map((one) => el("li", { class: "card item" },
    el("a", { class: "card-text strong", href: hash("code", ["repository", one.name]) }, el("bdi", {}, label(one.name))),
    el("div", { class: "meta" }, el("span", {}, plural(one.files, "file")), el("span", {}, plural(one.symbols, "symbol")),
      el("span", {}, `indexed ${shownMoment(one.indexed_at)} UTC`), el("code", {}, one.root))));
  fill(root,
    head("Code", "Repositories whose code the agents can ask about."),
    status.repositories.length ? searchBox(tools, route, signal, null) : empty("No code is indexed yet.",
      el("p", {}, "Index a folder here, or from the shell:"), el("pre", {}, "zapomni index path/to/repository")),
    status.repositories.length ? el("h2", { class: "section" }, "Repositories") : null,
    el("ul", { class: "list" }, cards),
    indexForm(tools));
}

function indexForm(tools) {
  const path = el("input", { name: "path", placeholder: "/path/to/project", autocomplete: "off", required: true });
  const button = el("button", { class: "quiet" }, "Index");
  const problem = el("div");
  const form = el("form", { class: "index-form" }, field("Index a folder", path, "its absolute path; it must lie in a folder that the server may read"), button, problem);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy(button, async () => {
      try {
        const done = await tools.call("index_codebase", { path: path.value.trim() });
        toast(done.job.state === "running" ? "Indexing goes on; see Jobs." : `Indexed ${plural(done.indexed, "file")}.`);
        location.hash = hash("code", ["repository", done.repository]);
      } catch (error) {
        fill(problem, failure(error));
      }
    });
  });
  return form;
}

async function repositoryView(root, { tools, route, signal }, repository) {
  const found = await tools.call("code_overview", { repository }, signal);
  if (signal.aborted) return;
  fill(root,
    el("p", { class: "crumb" }, el("a", { href: "#/code" }, "Code"), " / ", el("bdi", {}, label(found.repository))),
    head(label(found.repository), `${plural(found.files, "file")}, ${plural(found.symbols, "symbol")}, ${plural(found.calls, "call")}`),
    notice(found.notice),
    searchBox(tools, route, signal, found.repository),
    el("div", { class: "plots" }, namedBars("Languages (files)", found.languages), namedBars("Kinds (symbols)", found.kinds), namedBars("Folders (files)", found.folders)),
    symbols("What the rest stands on", found.central),
    symbols("Where execution begins", found.entry_points));
}

function searchBox(tools, route, signal, repository) {
  const box = el("input", { type: "search", "aria-label": "Search code", placeholder: "A name, or what the code does", value: route.query.get("q") ?? "", autocomplete: "off" });
  const results = el("div");
  let running = null;
  const run = async () => {
    running?.abort();
    running = new AbortController();
    const own = AbortSignal.any([signal, running.signal]);
    const query = box.value.trim();
    if (!query) return fill(results);
    try {
      const answer = await tools.call("search_code", { query, limit: 15, explain: true, ...(repository ? { repository } : {}) }, own);
      if (own.aborted) return;
      say(plural(answer.results.length, "symbol"));
      fill(results, notice(answer.notice), answer.results.length ? el("ol", { class: "list" }, answer.results.map(hit)) : empty("No symbol fits.", el("p", {}, "Try a part of its name, or say what it does.")));
    } catch (error) {
      if (!own.aborted) fill(results, failure(error, run));
    }
  };
  box.addEventListener("input", debounced(run, PAUSE_MS));
  const form = el("form", { role: "search", on: { submit: (event) => event.preventDefault() } }, box);
  if (box.value) run();
  return el("div", { class: "code-search" }, form, results);
}

const symbolHref = (one) => hash("code", ["symbol"], { symbol: one.id, repository: one.repository });

function hit(result) {
  const one = result.symbol;
  return el("li", { class: "card item" },
    el("a", { class: "card-text", href: symbolHref(one) }, el("code", { class: "strong" }, label(one.qualified_name))),
    one.doc ? foreign("p", one.doc.split("\n")[0], { class: "quiet-text" }) : null,
    el("div", { class: "meta" }, el("span", { class: "chip" }, one.kind), el("span", {}, `${one.path}:${one.line}`), result.is_stale ? el("span", { class: "chip warning" }, "changed since") : null, result.why.length ? el("span", {}, result.why.join(", ")) : null));
}

function symbols(title, all) {
  if (!all.length) return null;
  return el("section", {}, el("h2", { class: "section" }, title), el("ul", { class: "plain symbols" }, all.map((one) => el("li", { class: "item" },
    el("a", { href: symbolHref(one) }, el("code", {}, label(one.qualified_name))), " ", el("span", { class: "quiet-text" }, `${one.kind} in ${one.path}:${one.line}`)))));
}

async function symbolView(root, { tools, route, signal }) {
  const wanted = { symbol: route.query.get("symbol") ?? "" };
  if (route.query.get("repository")) wanted.repository = route.query.get("repository");
  let found;
  try {
    found = await tools.call("get_symbol", wanted, signal);
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error;
    fill(root, head("Symbol"), failure(error));
    return;
  }
  const crumb = el("p", { class: "crumb" }, el("a", { href: "#/code" }, "Code"), found.symbol ? [" / ", el("a", { href: hash("code", ["repository", found.symbol.repository]) }, label(found.symbol.repository))] : null);
  if (!found.symbol) {
    fill(root, crumb, head("Symbol"), notice(found.notice), empty("No symbol has this name alone."), symbols("It may be one of these", found.suggestions));
    return;
  }
  const one = found.symbol;
  fill(root, crumb,
    head(label(one.qualified_name), `${one.kind} in ${one.path}:${one.line}`),
    notice(found.is_stale ? "The file has changed since it was indexed." : found.notice),
    one.doc ? foreign("p", one.doc, { class: "doc" }) : null,
    el("pre", { class: "source-code", tabindex: "0", role: "region", "aria-label": "Source" }, el("code", {}, found.source)),
    sites("Who calls it", found.callers), impact(tools, one, signal), sites("What it calls", found.callees), symbols("What is defined in it", found.members),
    found.memories.length ? el("section", {}, el("h2", { class: "section" }, "What is remembered about it"), el("ul", { class: "list" }, found.memories.map(remembered))) : null);
}

function sites(title, all) {
  if (!all.length) return null;
  return el("section", {}, el("h2", { class: "section" }, `${title} (${count(all.length)})`), el("ul", { class: "plain symbols" }, all.map((site) => el("li", { class: "item" },
    el("a", { href: symbolHref(site.symbol) }, el("code", {}, label(site.symbol.qualified_name))), " ",
    el("span", { class: "quiet-text" }, `${site.symbol.path}:${site.line || site.symbol.line}${site.depth > 1 ? `, ${site.depth} steps away` : ""}${site.confidence < 1 ? `, ${site.how}` : ""}`)))));
}

function impact(tools, symbol, signal) {
  const place = el("div");
  const button = el("button", { type: "button", class: "quiet" }, "What would a change break?");
  button.addEventListener("click", () => busy(button, async () => {
    const found = await tools.call("get_call_graph", { symbol: symbol.id, repository: symbol.repository, direction: "impact" }, signal);
    fill(place, sites("A change may break", found.sites) ?? empty("Nothing that is indexed depends on it."));
  }));
  return el("div", {}, button, place);
}

function remembered(memory) {
  return el("li", { class: "card item" }, foreign("a", memory.text, { class: "card-text", href: hash("memory", [memory.memory_id]) }),
    el("div", { class: "meta" }, when(memory.timestamp), memory.is_stale ? el("span", { class: "chip warning" }, memory.why ?? "has changed since") : null));
}
