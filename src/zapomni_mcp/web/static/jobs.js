// Long work: what runs, how far it is, what has ended, and a way to stop it.

import { el, fill } from "./dom.js";
import { count, duration, percent, plural, words } from "./format.js";
import { busy, empty, failure, head, say, toast } from "./parts.js";

const EVERY_MS = 1000;
// It goes on when a repository is indexed or the memory is opened again.
const GOES_ON_BY_ITSELF = "embed_code";
const SIGNS = { running: "running", done: "done", failed: "failed", cancelled: "given up", interrupted: "interrupted" };

/** Show the jobs, again and again while the view is open. */
export async function show(root, { tools, signal }) {
  const known = await tools.list();
  const list = el("div", { class: "jobs" });
  const build = el("button", { type: "button" }, "Read memories for the graph");
  build.addEventListener("click", () => {
    // The call answers when the work is done or long: the list shows it meanwhile.
    tools.call("build_graph", {}).then((answer) => toast(answer.job.state === "running" ? "The job goes on." : `Read: ${plural(answer.memories, "memory", "memories")}.`), (error) => toast(error.message));
    setTimeout(refresh, 150);
  });
  let timer = 0;
  const refresh = async () => {
    clearTimeout(timer);
    try {
      const jobs = await allJobs(tools, known, signal);
      if (signal.aborted) return;
      draw(list, jobs, tools, known, refresh);
    } catch (error) {
      if (!signal.aborted) fill(list, failure(error, refresh));
    }
    if (!signal.aborted) timer = setTimeout(refresh, EVERY_MS);
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  fill(root, head("Jobs", "Long work of the server, while it goes on and after.", el("div", { class: "actions" }, build)), list);
  await refresh();
}

async function allJobs(tools, known, signal) {
  if (known.has("list_jobs")) return (await tools.call("list_jobs", {}, signal)).jobs.reverse();
  const [graph, code] = await Promise.all([tools.call("graph_status", {}, signal), tools.call("code_status", {}, signal)]);
  const jobs = new Map([...graph.jobs, ...code.jobs].map((job) => [job.id, job]));
  return [...jobs.values()].reverse();
}

function draw(list, jobs, tools, known, refresh) {
  if (!jobs.length) {
    fill(list, empty("No job has run yet.", el("p", {}, "Indexing code, reading long documents and building the graph show up here.")));
    return;
  }
  const rows = new Map([...list.querySelectorAll("[data-job]")].map((row) => [row.dataset.job, row]));
  if (!list.querySelector("ul")) fill(list, el("ul", { class: "list" }));
  const place = list.querySelector("ul");
  for (const [at, job] of jobs.entries()) {
    const row = rows.get(job.id) ?? make(job, tools, known, refresh);
    update(row, job);
    if (place.children[at] !== row) place.insertBefore(row, place.children[at] ?? null);
    rows.delete(job.id);
  }
  for (const row of rows.values()) row.remove();
}

function make(job, tools, known, refresh) {
  const button = (name, text, act) => {
    const made = el("button", { type: "button", class: `quiet ${name}`, hidden: true }, text);
    made.addEventListener("click", () => busy(made, async () => {
      await act().catch((error) => toast(error.message));
      await refresh();
    }));
    return made;
  };
  const stop = button("stop", "Stop", () => cancel(tools, known, job));
  const resume = known.has("control_job") ? button("resume", "Go on", () => tools.call("control_job", { job_id: job.id, action: "resume" })) : null;
  return el("li", { class: "card item job", data: { job: job.id, kind: job.kind } },
    el("div", { class: "job-line" },
      el("strong", {}, words(job.kind)), el("span", { class: "chip state" }), el("span", { class: "quiet-text far" }), stop, resume),
    el("progress", { "aria-label": `Progress of ${words(job.kind)}` }),
    el("p", { class: "problem", dir: "auto", hidden: true }));
}

function update(row, job) {
  const isRunning = job.state === "running";
  const state = row.querySelector(".state");
  const told = SIGNS[job.state] ?? job.state;
  if (state.textContent && state.textContent !== told) say(`${words(job.kind)}: ${told}`);
  state.textContent = told;
  row.dataset.state = job.state;
  const share = job.total ? job.done / job.total : 0;
  const done = job.total ? `${count(job.done)} of ${count(job.total)}${isRunning ? ` (${percent(share)})` : ""}` : count(job.done);
  row.querySelector(".far").textContent = `${done} · ${duration(job.seconds)}`;
  const bar = row.querySelector("progress");
  bar.hidden = !isRunning;
  if (isRunning && job.total) { bar.max = job.total; bar.value = job.done; } else bar.removeAttribute("value");
  row.querySelector(".stop").hidden = !isRunning;
  const resume = row.querySelector(".resume");
  const isOver = ["interrupted", "failed", "cancelled"].includes(job.state);
  if (resume) resume.hidden = !isOver || job.kind === GOES_ON_BY_ITSELF;
  const problem = row.querySelector(".problem");
  const failures = (job.failures ?? []).join("; ");
  problem.textContent = [job.error, failures].filter(Boolean).join(": ");
  problem.hidden = !problem.textContent;
}

function cancel(tools, known, job) {
  if (known.has("control_job")) return tools.call("control_job", { job_id: job.id, action: "cancel" });
  return tools.call(job.kind === "build_graph" ? "build_graph" : "index_codebase", { cancel_job: job.id });
}
