// Draw a graph and let one move in it: drag, zoom, point at a node, press it.

import { Forces } from "./forces.js";
import { label } from "./format.js";

const FRAME_MS = 12;
const LABELS = 70;
const REACH = 14;
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A canvas that shows nodes and links, and tells which node was pressed. */
export class GraphCanvas {
  constructor(canvas, { pressed, signal }) {
    Object.assign(this, { canvas, pressed, signal });
    this.context = canvas.getContext("2d");
    this.forces = new Forces();
    this.nodes = [];
    this.order = [];
    this.links = [];
    this.marks = { chosen: null, over: null, path: new Set() };
    this.view = { x: 0, y: 0, zoom: 1 };
    this.frames = []; // moments of the last frames, for whoever measures
    this.isFitted = false;
    this.#listen();
    new ResizeObserver(() => this.#resize()).observe(canvas);
    document.addEventListener("theme", () => { this.colours = null; this.draw(); }, { signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.colours = null; this.draw(); }, { signal });
  }

  /** Show these nodes and links; nodes that were there stay where they are. */
  load(nodes, links) {
    const before = new Map(this.nodes.map((node, at) => [node.id, [this.forces.x[at], this.forces.y[at], 1]]));
    const numbers = new Map(nodes.map((node, at) => [node.id, at]));
    const known = links.filter((link) => numbers.has(link.source) && numbers.has(link.target));
    const beside = new Map();
    for (const { source, target } of known) {
      if (before.has(source) && !before.has(target)) beside.set(target, before.get(source).slice(0, 2));
      if (before.has(target) && !before.has(source)) beside.set(source, before.get(target).slice(0, 2));
    }
    const isFresh = !nodes.some((node) => before.has(node.id));
    this.nodes = nodes;
    this.links = known;
    this.order = nodes.map((_, at) => at).sort((one, other) => nodes[other].mentions - nodes[one].mentions);
    this.radii = Float32Array.from(nodes, (node) => Math.min(11, 3.5 + Math.sqrt(node.mentions) * 0.55));
    this.forces.load(nodes.map((node) => before.get(node.id) ?? beside.get(node.id) ?? null), known.map(({ source, target }) => [numbers.get(source), numbers.get(target)]));
    if (isFresh) this.isFitted = false;
    else this.forces.alpha = 0.5;
    this.start();
  }

  start() {
    if (this.isRunning || this.signal.aborted) return;
    this.isRunning = true;
    const turn = () => {
      if (this.signal.aborted || !this.canvas.isConnected) { this.isRunning = false; return; }
      this.frames.push(performance.now());
      if (this.frames.length > 600) this.frames.shift();
      const end = performance.now() + (isCalm() ? 60 : FRAME_MS);
      do this.forces.step(); while (this.forces.isWarm && (isCalm() || this.nodes.length < 400) && performance.now() < end);
      if (!isCalm() || !this.forces.isWarm) this.draw();
      this.isRunning = this.forces.isWarm;
      this.canvas.dataset.settled = String(!this.isRunning);
      if (this.isRunning) requestAnimationFrame(turn);
    };
    this.canvas.dataset.settled = "false";
    requestAnimationFrame(turn);
  }

  /** Choose a node, and mark a path of ids. */
  mark({ chosen = this.marks.chosen, path = this.marks.path }) {
    this.marks = { ...this.marks, chosen, path };
    this.draw();
  }

  zoomBy(factor, x = this.width / 2, y = this.height / 2) {
    const { view } = this;
    const zoom = Math.max(0.05, Math.min(6, view.zoom * factor));
    view.x = x - ((x - view.x) * zoom) / view.zoom;
    view.y = y - ((y - view.y) * zoom) / view.zoom;
    view.zoom = zoom;
    this.isFitted = true;
    this.draw();
  }

  /** Let everything be seen at once. */
  fit() {
    const { x, y, count } = this.forces;
    if (!count || !this.width) return;
    let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
    for (let at = 0; at < count; at++) {
      left = Math.min(left, x[at]); right = Math.max(right, x[at]);
      top = Math.min(top, y[at]); bottom = Math.max(bottom, y[at]);
    }
    const zoom = Math.min(2.4, (this.width - 130) / Math.max(1, right - left), (this.height - 90) / Math.max(1, bottom - top));
    this.view = { zoom, x: this.width / 2 - (zoom * (left + right)) / 2, y: this.height / 2 - (zoom * (top + bottom)) / 2 };
  }

  /** Where a node is on the screen, relative to the canvas. */
  placeOf(id) {
    const at = this.nodes.findIndex((node) => node.id === id);
    return at < 0 ? null : [this.forces.x[at] * this.view.zoom + this.view.x, this.forces.y[at] * this.view.zoom + this.view.y];
  }

  draw() {
    if (!this.width) return;
    if (!this.isFitted) this.fit();
    this.colours ??= colours(this.canvas);
    const { context, view, ratio } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.translate(view.x, view.y);
    context.scale(view.zoom, view.zoom);
    this.#drawLinks();
    this.#drawNodes();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#drawLabels();
  }

  #drawLinks() {
    const { context, forces, links, marks, colours: c } = this;
    const { x, y, sources, targets } = forces;
    const near = marks.over ?? marks.chosen;
    const strokes = [
      [c.line, 1, (link) => !link.isFact],
      [c.edge, 1.2, (link) => link.isFact],
      [c.accent, 1.3, (link) => near && (link.source === near || link.target === near)],
      [c.accent, 4, (link) => marks.path.has(link.source) && marks.path.has(link.target) && marks.path.size > 1],
    ];
    for (const [colour, width, belongs] of strokes) {
      context.beginPath();
      for (let at = 0; at < links.length; at++) {
        if (!belongs(links[at])) continue;
        context.moveTo(x[sources[at]], y[sources[at]]);
        context.lineTo(x[targets[at]], y[targets[at]]);
      }
      context.strokeStyle = colour;
      context.lineWidth = width / Math.max(0.4, this.view.zoom);
      context.stroke();
    }
  }

  /** How large a node is drawn: close up the distances grow, not the dots. */
  #radius(at) {
    return this.radii[at] * Math.min(1, 1.2 / this.view.zoom);
  }

  #drawNodes() {
    const { context, forces, nodes, colours: c } = this;
    const byType = new Map();
    nodes.forEach((node, at) => (byType.get(node.type) ?? byType.set(node.type, []).get(node.type)).push(at));
    for (const [type, numbers] of byType) {
      context.beginPath();
      for (const at of numbers) {
        const radius = this.#radius(at);
        context.moveTo(forces.x[at] + radius, forces.y[at]);
        context.arc(forces.x[at], forces.y[at], radius, 0, Math.PI * 2);
      }
      context.fillStyle = c[type] ?? c.reference;
      context.fill();
    }
    for (const [at, node] of nodes.entries()) {
      if (node.id !== this.marks.chosen && node.id !== this.marks.over && !this.marks.path.has(node.id)) continue;
      context.beginPath();
      context.arc(forces.x[at], forces.y[at], this.#radius(at) + 3 / this.view.zoom, 0, Math.PI * 2);
      context.strokeStyle = c.text;
      context.lineWidth = 2 / this.view.zoom;
      context.stroke();
    }
  }

  #drawLabels() {
    const { context, forces, nodes, view, marks, colours: c } = this;
    context.font = `500 12px ${c.font}`;
    context.textAlign = "center";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = c.ground;
    context.fillStyle = c.text;
    const taken = [];
    const important = new Set([marks.chosen, marks.over, ...marks.path]);
    const first = this.order.filter((at) => important.has(nodes[at].id));
    for (const at of [...first, ...this.order.filter((each) => !important.has(nodes[each].id))]) {
      if (taken.length > LABELS) break;
      const text = short(nodes[at].name);
      const x = forces.x[at] * view.zoom + view.x;
      const y = forces.y[at] * view.zoom + view.y + this.#radius(at) * view.zoom + 13;
      if (x < 0 || y < 0 || x > this.width || y > this.height + 14) continue;
      const half = text.length * 3.4 + 4;
      const isFree = important.has(nodes[at].id) || taken.every(([l, t, r]) => x + half < l || x - half > r || Math.abs(y - t) > 15);
      if (!isFree) continue;
      taken.push([x - half, y, x + half]);
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    }
  }

  #resize() {
    const box = this.canvas.getBoundingClientRect();
    if (!box.width) return;
    this.ratio = Math.min(2, devicePixelRatio || 1);
    [this.width, this.height] = [box.width, box.height];
    this.canvas.width = Math.round(box.width * this.ratio);
    this.canvas.height = Math.round(box.height * this.ratio);
    this.isFitted = false;
    this.draw();
  }

  #nodeAt(x, y) {
    let best = -1, least = Infinity;
    for (let at = 0; at < this.nodes.length; at++) {
      const dx = this.forces.x[at] * this.view.zoom + this.view.x - x, dy = this.forces.y[at] * this.view.zoom + this.view.y - y;
      const distance = Math.hypot(dx, dy) - this.#radius(at) * this.view.zoom;
      if (distance < least) { least = distance; best = at; }
    }
    return least < REACH - 6 ? best : -1;
  }

  #listen() {
    const { canvas } = this;
    const at = (event) => [event.offsetX, event.offsetY];
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      drag = { from: at(event), node: this.#nodeAt(...at(event)), view: { ...this.view }, isMoved: false };
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = at(event);
      if (!drag) return this.#hover(this.#nodeAt(x, y));
      const [dx, dy] = [x - drag.from[0], y - drag.from[1]];
      if (Math.hypot(dx, dy) < 5 && !drag.isMoved) return;
      drag.isMoved = true;
      this.isFitted = true;
      if (drag.node >= 0) this.#move(drag.node, x, y);
      else { this.view = { ...this.view, x: drag.view.x + dx, y: drag.view.y + dy }; this.draw(); }
    });
    canvas.addEventListener("pointerup", () => {
      if (drag && !drag.isMoved && drag.node >= 0) this.pressed(this.nodes[drag.node]);
      this.forces.held = -1;
      drag = null;
    });
    canvas.addEventListener("pointercancel", () => { drag = null; this.forces.held = -1; });
    canvas.addEventListener("pointerleave", () => this.#hover(-1));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
    }, { passive: false });
  }

  #hover(at) {
    const over = at < 0 ? null : this.nodes[at].id;
    this.canvas.classList.toggle("pointing", at >= 0);
    if (over === this.marks.over) return;
    this.marks.over = over;
    this.draw();
  }

  #move(at, x, y) {
    this.forces.held = at;
    this.forces.x[at] = (x - this.view.x) / this.view.zoom;
    this.forces.y[at] = (y - this.view.y) / this.view.zoom;
    this.forces.warm();
    this.start();
  }
}

function short(name) {
  const shown = label(name);
  return shown.length > 26 ? `${shown.slice(0, 25)}…` : shown;
}

const NAMES = ["line", "edge", "accent", "text", "ground", "person", "organisation", "place", "technology", "event", "work", "date", "concept", "reference"];

function colours(near) {
  const probe = document.createElement("span");
  near.after(probe);
  const found = { font: getComputedStyle(document.body).fontFamily };
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}
