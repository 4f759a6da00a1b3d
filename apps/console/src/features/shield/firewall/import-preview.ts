import { isAddressOrRange } from "@palisade/contract/http/firewall";
import { readImport, type ImportWord } from "@palisade/contract/http/firewall-text";

export interface ImportPreview {
  readonly valid: number;
  /** As they stand in the text: words side by side on a line are one slip. */
  readonly invalid: readonly ImportWord[];
  /** Ranges that hold whole providers or countries. */
  readonly wide: readonly string[];
}

/** Prefixes below are rarely meant: 65,536 IPv4 addresses, the share of a provider in IPv6. */
const narrowPrefix = { ipv4: 16, ipv6: 32 };

/** What of a text would be imported, judged here so that nobody waits to read of a slip. */
export function previewImport(text: string): ImportPreview {
  const words = readImport(text);
  const invalid: ImportWord[] = [];
  const wide: string[] = [];
  let valid = 0;
  for (const { line, text: word } of words) {
    const last = invalid.at(-1);
    if (isAddressOrRange(word)) {
      valid += 1;
      if (isWide(word)) wide.push(word);
    } else if (last?.line === line) {
      invalid[invalid.length - 1] = { line, text: `${last.text} ${word}` };
    } else {
      invalid.push({ line, text: word });
    }
  }
  return { valid, invalid, wide };
}

function isWide(range: string): boolean {
  const prefix = range.split("/")[1];
  if (prefix === undefined) return false;
  return Number(prefix) < (range.includes(":") ? narrowPrefix.ipv6 : narrowPrefix.ipv4);
}
