import { hash } from "node:crypto";
import {
  type AddressSet,
  type AddressSetResult,
  compileAddressSet,
} from "@palisade/login-rules/address-set";

/** A compiled list of addresses and names, and the digests that tell whether another is the same. */
export interface PlayerList {
  /** Digest of the entries as they were given; compiling them costs much more. */
  readonly digest: string;
  readonly set: AddressSet;
  readonly namesDigest: string;
  /** In lower case. */
  readonly names: ReadonlySet<string>;
}

interface GivenList {
  /** Addresses and CIDR ranges. */
  readonly entries: readonly string[];
  readonly names: readonly string[];
}

type PlayerListResult =
  | { readonly ok: true; readonly list: PlayerList }
  | Extract<AddressSetResult, { ok: false }>;

/** Most shields list no names: one set for all of them. */
const noNames: ReadonlySet<string> = new Set();

/** @param before what ran until now: its sets go on where the entries are the same */
export function compileList(given: GivenList, before: PlayerList | undefined): PlayerListResult {
  const digest = digestOf(given.entries);
  const namesDigest = digestOf(given.names);
  const isSame = before?.digest === digest;
  const areNamesSame = before?.namesDigest === namesDigest;
  if (isSame && areNamesSame) return { ok: true, list: before };
  const compiled: AddressSetResult = isSame
    ? { ok: true, set: before.set }
    : compileAddressSet(given.entries);
  if (!compiled.ok) return compiled;
  const names = areNamesSame ? before.names : compileNames(given.names);
  return { ok: true, list: { digest, set: compiled.set, namesDigest, names } };
}

function compileNames(names: readonly string[]): ReadonlySet<string> {
  return names.length === 0 ? noNames : new Set(names);
}

function digestOf(entries: readonly string[]): string {
  return entries.length === 0 ? "" : hash("sha256", entries.join("\n"));
}
