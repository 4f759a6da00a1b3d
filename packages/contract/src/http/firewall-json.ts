import {
  type AddressFinder,
  columnsOf,
  entryOfRow,
  type ImportEntry,
  type ImportReading,
} from "./firewall-columns.ts";

/** Lists lie at most so deep in an object: `{"subnets": {"ipv4": []}}`. */
const depthMax = 3;

/**
 * Strings, or objects with an address or a name in them; their line is their place in the list. Null if
 * the text is no JSON.
 */
export function readJson(text: string, end: number, find: AddressFinder): ImportReading | null {
  if (!/^\s*[[{]/.test(text)) return null;
  const whole = parse(text);
  if (whole === undefined) return readJsonLines(text, end, find);
  const items = Array.isArray(whole) ? (whole as unknown[]) : itemsOf(whole, depthMax);
  return {
    format: "json",
    entries: items
      .slice(0, end)
      .map((item, index) => ({ line: index + 1, ...entryOf(item, find) })),
  };
}

/** An object a line, as Spamhaus publishes lists; its lines about the list itself are none of it. */
function readJsonLines(text: string, end: number, find: AddressFinder): ImportReading | null {
  const lines = text.split(/\r\n|[\r\n]/);
  const first = lines.find((line) => line.trim() !== "") ?? "";
  if (!isObject(parse(first))) return null;
  const entries: ImportEntry[] = [];
  for (const [index, whole] of lines.entries()) {
    const line = whole.trim();
    if (line === "") continue;
    const item = parse(line);
    if (isObject(item) && "type" in item && item.type === "metadata") continue;
    const entry = item === undefined ? { text: line } : entryOf(item, find);
    entries.push({ line: index + 1, ...entry });
    if (entries.length >= end) break;
  }
  return { format: "json-lines", entries };
}

/** The lists in an object, one after the other; an object without any is itself an item. */
function itemsOf(value: unknown, depth: number): unknown[] {
  if (!isObject(value)) return [value];
  const lists = listsIn(value, depth);
  return lists.length > 0 ? lists.flat() : [value];
}

function listsIn(value: object, depth: number): unknown[][] {
  return Object.values(value).flatMap((inner: unknown) => {
    if (Array.isArray(inner)) return [inner as unknown[]];
    return isObject(inner) && depth > 1 ? listsIn(inner, depth - 1) : [];
  });
}

function entryOf(item: unknown, find: AddressFinder): Omit<ImportEntry, "line"> {
  if (typeof item === "string") return { text: item.trim() };
  const fields = isObject(item) ? Object.entries(item) : [];
  const values = fields.map(([, value]: [string, unknown]) => wordOf(value));
  const found = entryOfRow(columnsOf(fields.map(([name]) => name)), values, find);
  return found ?? { text: written(item) };
}

/** An item without an entry, so that its owner finds it. */
function written(item: unknown): string {
  try {
    return JSON.stringify(item) ?? "";
  } catch {
    // It is read at any depth, but not written.
    return "{…}";
  }
}

function wordOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Undefined if it is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
