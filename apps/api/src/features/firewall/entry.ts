import { isPlayerName, type EntryKind } from "@palisade/contract/http/firewall";
import { normalizeAddress } from "./address.ts";

/** An entry as a list stores it. */
export interface ListEntry {
  readonly kind: EntryKind;
  /** An address in its one spelling, or a name as it was typed. */
  readonly value: string;
}

/** Null where it is neither an address, nor a range, nor the name of a player. */
export function readEntry(typed: string): ListEntry | null {
  const text = typed.trim();
  if (isPlayerName(text)) return { kind: "name", value: text };
  const address = normalizeAddress(text);
  return address === null ? null : { kind: "address", value: address };
}
