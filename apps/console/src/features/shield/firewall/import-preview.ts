import { isAddressOrRange } from "@palisade/contract/http/firewall";
import { readImport, type ImportWord } from "@palisade/contract/http/firewall-text";

export interface ImportPreview {
  readonly valid: number;
  readonly invalid: readonly ImportWord[];
}

/** What of a text would be imported, judged here so that nobody waits to read of a slip. */
export function previewImport(text: string): ImportPreview {
  const words = readImport(text);
  const invalid = words.filter(({ text: word }) => !isAddressOrRange(word));
  return { valid: words.length - invalid.length, invalid };
}
