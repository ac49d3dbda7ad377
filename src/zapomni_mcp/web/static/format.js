// Numbers, dates and short texts as a person reads them. Days are those of UTC, as in the tools.

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const longDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
const moment = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium", timeStyle: "short", timeZone: "UTC",
});
const month = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });
const whole = new Intl.NumberFormat("en-GB");
const short = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });

export const shownDay = (text) => day.format(new Date(text));
export const shownLongDay = (text) => longDay.format(new Date(text));
export const shownMoment = (text) => moment.format(new Date(text));
export const shownMonth = (text) => month.format(new Date(text));
export const shownClock = (text) => clock.format(new Date(text));
export const dayOf = (text) => new Date(text).toISOString().slice(0, 10);
export const count = (number) => whole.format(number);
export const compact = (number) => short.format(number);
export const percent = (share) => `${Math.round(share * 100)} %`;
export const words = (name) => name.replaceAll("_", " ");

/** Say how many of something there are. */
export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** Say how long something took. */
export function duration(seconds) {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 90) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Say how much memory something takes. */
export function megabytes(size) {
  return size < 1000 ? `${size.toFixed(1)} MB` : `${(size / 1000).toFixed(2)} GB`;
}

// Characters that turn text around or have no width: in a short label they only deceive.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Show a short label with what would hide in it. */
export function label(text) {
  return text.replace(HIDDEN, (sign) => `[U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}

/** Cut a text at a word near a length. */
export function cut(text, length) {
  if (text.length <= length) return text;
  const end = text.lastIndexOf(" ", length);
  return `${text.slice(0, end > length / 2 ? end : length)} …`;
}

/** Divide a text into pieces, those that match one of the words marked. */
export function marked(text, wanted) {
  const known = wanted.filter((word) => word.length > 1).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!known.length) return [{ text, isMatch: false }];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${known.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  const pieces = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    pieces.push({ text: text.slice(at, match.index), isMatch: false });
    pieces.push({ text: match[0], isMatch: true });
    at = match.index + match[0].length;
  }
  pieces.push({ text: text.slice(at), isMatch: false });
  return pieces.filter((piece) => piece.text);
}
