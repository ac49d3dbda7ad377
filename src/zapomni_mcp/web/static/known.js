// What filters can be set to: asked for once, after the view is there.

let asked = null;

/** Return the tags and sources that occur, most frequent first. */
export function knownNames(tools) {
  asked ??= overview(tools).then((counts) => ({
    tags: Object.keys(counts?.by_tag ?? {}), sources: Object.keys(counts?.by_source ?? {}),
  }));
  asked.catch(() => { asked = null; });
  return asked;
}

/** Count all memories that pass the filters by day, tag and source; null if no tool tells. */
export async function overview(tools, filters = {}, signal = undefined) {
  const known = await tools.list();
  if (!known.get("list_memories")?.inputSchema.properties.with_counts) return null;
  return (await tools.call("list_memories", { limit: 1, with_counts: true, ...filters }, signal)).counts;
}

/** Forget what was known: another workspace has other names. */
export function forgetNames() {
  asked = null;
}
