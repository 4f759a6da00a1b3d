const written =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const withoutEnd = new Set(["", "forever", "never", "permanent", "null", "none"]);

/**
 * The end of an entry as lists write it, in ms since 1970: a time of RFC 3339, that of a game server's ban
 * list, a day, or seconds or milliseconds since 1970. Times without a zone are UTC. Null: it has no end;
 * undefined: it cannot be read.
 */
export function readEnd(text: string): number | null | undefined {
  const word = text.trim();
  if (withoutEnd.has(word.toLowerCase())) return null;
  if (/^\d{10}$/.test(word)) return Number(word) * 1_000;
  if (/^\d{13}$/.test(word)) return Number(word);
  const parts = written.exec(word);
  if (parts === null) return undefined;
  const [, day = "", time = "00:00", zone = "Z"] = parts;
  const offset = zone.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2").toUpperCase();
  const ms = Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(ms) ? undefined : ms;
}
