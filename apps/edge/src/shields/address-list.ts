import { hash } from "node:crypto";
import {
  type AddressSet,
  type AddressSetResult,
  compileAddressSet,
} from "@palisade/login-rules/address-set";

/** A compiled list and the digest that tells whether another is the same. */
export interface AddressList {
  /** Digest of the entries as they were given; compiling them costs much more. */
  readonly digest: string;
  readonly set: AddressSet;
}

type AddressListResult =
  | { readonly ok: true; readonly list: AddressList }
  | Extract<AddressSetResult, { ok: false }>;

/** @param before what ran until now: its set goes on where the entries are the same */
export function compileList(
  entries: readonly string[],
  before: AddressList | undefined,
): AddressListResult {
  const digest = entries.length === 0 ? "" : hash("sha256", entries.join("\n"));
  if (before?.digest === digest) return { ok: true, list: before };
  const compiled = compileAddressSet(entries);
  return compiled.ok ? { ok: true, list: { digest, set: compiled.set } } : compiled;
}
