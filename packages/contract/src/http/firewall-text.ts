/** An entry of an import that should be an address or a range, and the line it stands on. */
export interface ImportEntry {
  readonly line: number;
  readonly text: string;
}

/** Names of a CSV column, or of a field in JSON, that holds the address. */
const addressNames = new Set(["ip", "address", "entry", "cidr", "network", "range", "ip_address"]);

/** A limit of `split` that is none. */
const partsMax = 2 ** 32 - 1;

/**
 * Reads the words of a list in the formats that people use: one or more per line, comments after
 * `#`, `//` or `;`, CSV with one column that counts, or the JSON of a ban list. Does not check the
 * words. If there are more than `max`, it reads one beyond that and no more.
 */
export function readImport(text: string, max = partsMax - 1): ImportEntry[] {
  const plain = text.replace(/^\uFEFF/, "");
  return readJson(plain, max + 1) ?? readLines(plain, max + 1);
}

/** Strings, or objects with an address in them; their line is their place in the list. */
function readJson(text: string, end: number): ImportEntry[] | null {
  if (!/^\s*\[/.test(text)) return null;
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return null;
    return list
      .slice(0, end)
      .map((item: unknown, index) => ({ line: index + 1, text: addressOf(item) }));
  } catch {
    return null;
  }
}

function addressOf(item: unknown): string {
  if (typeof item === "string") return item.trim();
  const fields = typeof item === "object" && item !== null ? Object.entries(item) : [];
  const value: unknown = fields.find(([name]) => addressNames.has(name.toLowerCase()))?.[1];
  return typeof value === "string" ? value.trim() : (JSON.stringify(item) ?? "");
}

function readLines(text: string, end: number): ImportEntry[] {
  let column: number | null = null;
  let begun = false;
  const words: ImportEntry[] = [];
  for (const [index, whole] of text.split(/\r\n|[\r\n\u2028\u2029]/).entries()) {
    const content = withoutComment(whole);
    if (content === "") continue;
    const cells = content.split(/[,;\t]/, end).map(unquote);
    if (!begun) {
      begun = true;
      const named = cells.findIndex((cell) => addressNames.has(cell.toLowerCase()));
      if (named >= 0) {
        column = named;
        continue;
      }
    }
    const used = column === null ? cells : [cells[column] ?? ""];
    for (const cell of used) {
      for (const word of cell.split(/\s+/, end)) {
        if (word !== "") words.push({ line: index + 1, text: word });
        if (words.length >= end) return words;
      }
    }
  }
  return words;
}

/** A semicolon also parts cells: it begins a comment at the start of a line or after a space. */
function withoutComment(line: string): string {
  return line.replace(/(^|\s)(#|\/\/|;).*$|#.*$/, "").trim();
}

function unquote(cell: string): string {
  const text = cell.trim();
  if (text === "") return text;
  const inner = /^"(.*)"$|^'(.*)'$/.exec(text);
  return (inner?.[1] ?? inner?.[2] ?? text).trim();
}
