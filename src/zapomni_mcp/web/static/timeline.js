// What was remembered, day by day; more comes as one scrolls.

import { debounced, el, fill, hash } from "./dom.js";
import { dayOf, plural, shownClock, shownLongDay } from "./format.js";
import { knownNames, overview } from "./known.js";
import { empty, failure, filterForm, head, loading, memoryCard, notice, say, toolFilters } from "./parts.js";
import { dayBars } from "./plot.js";

const PAGE = 40;
const PAUSE_MS = 250;
const WARMING_MS = 700;

/** Show the timeline. */
export async function show(root, { tools, route, signal }) {
  const plot = el("div", { class: "plot-place" });
  const days = el("div", { class: "days" }, loading());
  const order = el("select", { name: "order" },
    [["newest", "Newest first"], ["oldest", "Oldest first"], ["last_added", "Last stored first"]].map(([value, text]) => el("option", { value }, text)));
  order.value = route.query.get("order") ?? "newest";
  if (!order.value) order.value = "newest";
  const filters = filterForm(route.query, knownNames(tools), () => soon());
  const state = { reading: null };

  const read = async () => {
    state.reading?.abort();
    state.reading = new AbortController();
    const own = AbortSignal.any([signal, state.reading.signal]);
    const wanted = toolFilters(filters.read());
    drawPlot(plot, tools, wanted, own, (day) => { location.hash = hash("timeline", [], { ...filters.read(), from: day, to: day }); });
    await new Pages(tools, { ...wanted, order: order.value, limit: PAGE }, days, own).start();
  };
  const soon = debounced(() => {
    if (signal.aborted) return;
    history.replaceState(null, "", hash("timeline", [], { ...filters.read(), order: order.value === "newest" ? "" : order.value }));
    read();
  }, PAUSE_MS);

  order.addEventListener("change", soon);
  fill(root,
    head("Timeline", "What was said, day by day (UTC).", el("label", { class: "inline" }, el("span", { class: "sr" }, "Order"), order)),
    plot, filters.box, days);
  await read();
}

async function drawPlot(place, tools, filters, signal, choose) {
  const counts = await overview(tools, filters, signal).catch(() => null);
  if (signal.aborted) return;
  if (counts && Object.keys(counts.by_day).length > 1) fill(place, dayBars(counts.by_day, choose));
  else fill(place);
}

class Pages {
  constructor(tools, wanted, place, signal) {
    Object.assign(this, { tools, wanted, place, signal, cursor: null, day: null, list: null, isReading: false });
    this.more = el("button", { type: "button", class: "quiet", on: { click: () => this.next() } }, "Show more");
    this.foot = el("p", { class: "more" }, this.more);
    this.watcher = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && this.next(), { rootMargin: "600px" });
    signal.addEventListener("abort", () => this.watcher.disconnect());
  }

  async start() {
    const page = await this.tools.call("list_memories", this.wanted, this.signal);
    if (this.signal.aborted) return;
    fill(this.place, notice(page.notice));
    if (!page.memories.length && page.notice) return this.again();
    if (!page.memories.length) {
      this.place.append(empty("No memory is here.", el("p", {}, "Take a filter away, or ", el("a", { href: "#/timeline" }, "show all days"), ".")));
      return;
    }
    say(plural(page.total, "memory", "memories"));
    this.place.append(this.foot);
    this.take(page);
    this.watcher.observe(this.foot);
  }

  /** Ask again in a moment: the server has just been started and says so. */
  again() {
    setTimeout(() => this.signal.aborted || this.start().catch((error) => this.place.append(failure(error))), WARMING_MS);
  }

  async next() {
    if (this.isReading || !this.cursor) return;
    this.isReading = true;
    try {
      const page = await this.tools.call("list_memories", { ...this.wanted, cursor: this.cursor }, this.signal);
      if (!this.signal.aborted) this.take(page);
    } catch (error) {
      if (!this.signal.aborted) this.foot.before(failure(error, () => this.next()));
    } finally {
      this.isReading = false;
    }
    // The watcher only tells of changes, and a short page may leave the foot where it was.
    this.watcher.unobserve(this.foot);
    this.watcher.observe(this.foot);
  }

  take(page) {
    for (const memory of page.memories) {
      const by = this.wanted.order === "last_added" ? memory.created_at : memory.timestamp;
      if (dayOf(by) !== this.day) this.begin(by);
      this.list.append(memoryCard(memory, { shown: shownClock }));
    }
    this.cursor = page.next_cursor;
    this.foot.hidden = !this.cursor;
    if (!this.cursor) this.watcher.disconnect();
  }

  begin(moment) {
    this.day = dayOf(moment);
    this.list = el("ol", { class: "list" });
    const heading = el("h2", { class: "day" }, el("time", { datetime: this.day }, shownLongDay(moment)));
    this.foot.before(el("section", {}, heading, this.list));
  }
}
