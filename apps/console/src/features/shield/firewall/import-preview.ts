import { kindsOf, readImport, type ImportEntry } from "@palisade/contract/http/firewall-text";

export interface ImportPreview {
  /** Addresses, ranges and names. */
  readonly valid: number;
  readonly names: number;
  /** Unreadable words; neighbours on one line count as one. */
  readonly invalid: readonly ImportEntry[];
  /** Ranges that cover whole providers or countries. */
  readonly wide: readonly string[];
}

/** Shorter prefixes are rarely intended: /16 has 65,536 addresses, /32 is a provider in IPv6. */
const narrowPrefix = { ipv4: 16, ipv6: 32 };

/** Reads the text in the browser, so that mistakes show before the import is sent. */
export function previewImport(text: string): ImportPreview {
  const words = readImport(text);
  const invalid: ImportEntry[] = [];
  const wide: string[] = [];
  const kinds = kindsOf(words);
  let valid = 0;
  let names = 0;
  for (const [index, { line, text: word }] of words.entries()) {
    const last = invalid.at(-1);
    const kind = kinds[index] ?? null;
    if (kind !== null) {
      valid += 1;
      if (kind === "name") names += 1;
      else if (isWide(word)) wide.push(word);
    } else if (last?.line === line) {
      invalid[invalid.length - 1] = { line, text: `${last.text} ${word}` };
    } else {
      invalid.push({ line, text: word });
    }
  }
  return { valid, names, invalid, wide };
}

function isWide(range: string): boolean {
  const prefix = range.split("/")[1];
  if (prefix === undefined) return false;
  return Number(prefix) < (range.includes(":") ? narrowPrefix.ipv6 : narrowPrefix.ipv4);
}
