// The frame: which view is shown, in which theme, and with which token.

import { el, fill, readHash } from "./dom.js";
import { listen } from "./keyboard.js";
import { TokenRequired, Tools } from "./mcp.js";
import { empty, failure, field, loading } from "./parts.js";
import * as search from "./search.js";

const VIEWS = {
  search: async () => search,
  timeline: () => import("./timeline.js"),
  memory: () => import("./memory.js"),
  graph: () => import("./graph.js"),
  code: () => import("./code.js"),
  jobs: () => import("./jobs.js"),
  statistics: () => import("./statistics.js"),
  workspaces: () => import("./workspaces.js"),
};
const TITLES = {
  search: "Search", timeline: "Timeline", memory: "Memory", graph: "Graph", code: "Code",
  jobs: "Jobs", statistics: "Statistics", workspaces: "Workspaces",
};

const main = document.getElementById("main");
const tools = new Tools();
let leaving = new AbortController();
let isFirst = true;

async function show() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const route = readHash(location.hash);
  const name = Object.hasOwn(VIEWS, route.view) ? route.view : null;
  mark(name);
  if (!name) {
    fill(main, empty("There is no such page.", el("p", {}, el("a", { href: "#/search" }, "Search the memory"))));
    return;
  }
  const root = el("div", { class: `view view-${name}` }, loading());
  fill(main, root);
  scrollTo(0, 0);
  try {
    const view = await VIEWS[name]();
    if (signal.aborted) return;
    await view.show(root, { tools, route, signal });
    if (!signal.aborted && !isFirst) focusHeading();
  } catch (error) {
    if (!signal.aborted) explain(error);
  }
  isFirst = false;
}

function explain(error) {
  if (error instanceof TokenRequired) askToken();
  else if (error.name !== "AbortError") fill(main, failure(error, show));
}

function focusHeading() {
  if (!main.contains(document.activeElement)) main.querySelector("h1")?.focus({ preventScroll: true });
}

function mark(name) {
  document.title = name ? `${TITLES[name]} – Zapomni` : "Zapomni";
  for (const link of document.querySelectorAll("nav [data-view]")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function askToken() {
  const input = el("input", { type: "password", name: "token", autocomplete: "current-password", required: true });
  const form = el("form", { class: "token" },
    el("h1", {}, "This memory is locked"),
    el("p", {}, "Enter the token that the server was started with (ZAPOMNI_AUTH_TOKEN). It is kept until this tab is closed."),
    field("Token", input),
    tools.token ? el("p", { class: "wrong", role: "alert" }, "The server does not know this token.") : null,
    el("div", { class: "actions" }, el("button", {}, "Unlock")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tools.token = input.value.trim();
    start();
  });
  fill(main, form);
  input.focus();
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function tellTheme() {
  const button = document.getElementById("theme-button");
  button.setAttribute("aria-label", isDark() ? "Switch to light" : "Switch to dark");
  document.dispatchEvent(new Event("theme"));
}

function switchTheme() {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("zapomni-theme", next);
  tellTheme();
}

async function offerWorkspaces() {
  const known = await tools.list();
  document.querySelector("nav [data-view=workspaces]").hidden = !known.has("list_workspaces");
  const shown = document.getElementById("workspace");
  shown.hidden = !tools.workspace;
  shown.textContent = tools.workspace;
}

function start() {
  offerWorkspaces().catch(() => {}); // the view tells what is wrong
  show();
}

document.getElementById("theme-button").addEventListener("click", switchTheme);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tellTheme);
document.addEventListener("workspace", () => offerWorkspaces().catch(() => {}));
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
addEventListener("hashchange", show);
addEventListener("pagehide", () => tools.close());
addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "AbortError") event.preventDefault(); // somebody went on: nothing is wrong
  else explain(event.reason);
});
tellTheme();
listen();
start();
