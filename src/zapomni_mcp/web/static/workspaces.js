// Workspaces: separate memories. The page looks at one of them; agents keep their own choice.

import { el, fill } from "./dom.js";
import { label, plural, shownDay } from "./format.js";
import { forgetNames } from "./known.js";
import { busy, empty, failure, field, head, toast } from "./parts.js";

/** Show the workspaces. */
export async function show(root, context) {
  const { tools, signal } = context;
  if (!(await tools.list()).has("list_workspaces")) {
    fill(root, head("Workspaces"), empty("This server has one workspace."));
    return;
  }
  const { workspaces } = await tools.call("list_workspaces", {}, signal);
  if (signal.aborted) return;
  const again = () => show(root, context);
  const chosen = tools.workspace || workspaces.find((one) => one.is_default)?.name;
  fill(root,
    head("Workspaces", "Separate memories: what is in one is never found in another."),
    el("ul", { class: "list" }, workspaces.map((one) => card(one, one.name === chosen, tools, again))),
    createForm(tools, again));
}

function choose(tools, workspace) {
  tools.workspace = workspace.is_default ? "" : workspace.name;
  forgetNames();
  document.dispatchEvent(new Event("workspace"));
}

function card(workspace, isChosen, tools, again) {
  const look = el("button", { type: "button", class: "quiet" }, "Look at it");
  look.addEventListener("click", () => {
    choose(tools, workspace);
    toast(`This page shows ${label(workspace.name)} now.`);
    again();
  });
  const remove = el("button", { type: "button", class: "quiet danger-text" }, "Delete");
  remove.addEventListener("click", () => deleting(tools, workspace, again));
  return el("li", { class: "card item workspace-card" },
    el("div", { class: "job-line" },
      el("strong", {}, el("bdi", {}, label(workspace.name))),
      workspace.is_default ? el("span", { class: "chip" }, "default") : null,
      isChosen ? el("span", { class: "chip pinned" }, "shown here") : null,
      el("span", { class: "quiet-text" }, `${plural(workspace.memories, "memory", "memories")}${workspace.created ? `, since ${shownDay(workspace.created)}` : ""}`),
      el("span", { class: "actions end" }, isChosen ? null : look, workspace.is_default ? null : remove)),
    workspace.description ? el("p", { dir: "auto" }, workspace.description) : null);
}

function createForm(tools, again) {
  const name = el("input", { name: "name", required: true, autocomplete: "off", maxlength: 64 });
  const about = el("input", { name: "description", autocomplete: "off", dir: "auto" });
  const button = el("button", {}, "Create");
  const problem = el("div");
  const form = el("form", { class: "edit" }, el("h2", { class: "section" }, "A new workspace"), field("Name", name, "letters, digits and _ . -"), field("What it is for", about), problem, el("div", { class: "actions" }, button));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy(button, async () => {
      try {
        const wanted = { name: name.value.trim(), ...(about.value.trim() ? { description: about.value.trim() } : {}) };
        await tools.call("create_workspace", wanted);
        toast(`Created ${label(wanted.name)}.`);
        await again();
      } catch (error) {
        fill(problem, failure(error));
      }
    });
  });
  return form;
}

function deleting(tools, workspace, again) {
  const typed = el("input", { name: "confirm", autocomplete: "off" });
  const yes = el("button", { class: "danger" }, "Delete for good");
  const no = el("button", { type: "button", class: "quiet" }, "Cancel");
  const problem = el("div");
  const form = el("form", { class: "edit" }, field(`Type ${label(workspace.name)} to delete it`, typed), problem, el("div", { class: "actions" }, no, yes));
  const dialog = el("dialog", { "aria-labelledby": "dialog-title" }, el("h2", { id: "dialog-title" }, "Delete this workspace?"),
    el("p", {}, `${plural(workspace.memories, "memory goes", "memories go")} with it. This cannot be undone.`), form);
  no.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy(yes, async () => {
      try {
        await tools.call("delete_workspace", { name: workspace.name, confirm: typed.value });
        if (tools.workspace === workspace.name) choose(tools, { is_default: true });
        dialog.close();
        toast(`Deleted ${label(workspace.name)}.`);
        await again();
      } catch (error) {
        fill(problem, failure(error));
      }
    });
  });
  document.body.append(dialog);
  dialog.showModal();
  typed.focus();
}
