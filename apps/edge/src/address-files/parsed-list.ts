import type { LabelledRanges } from "#src/rules/address-lookups.ts";

/**
 * Flags of records in MaxMind's Anonymous-IP files, the more telling first, and our names for them.
 */
export const flagKinds = [
  ["is_tor_exit_node", "tor"],
  ["is_anonymous_vpn", "vpn"],
  ["is_public_proxy", "proxy"],
  ["is_residential_proxy", "residential proxy"],
  ["is_hosting_provider", "hosting"],
  ["is_anonymous", "anonymous"],
] as const;

/** One file, read and checked. Its words lie in memory that threads share. */
export interface ParsedList {
  readonly name: string;
  /** Meaning of the labels of its ranges: nothing, an AS number, or an index into `flagKinds`. */
  readonly kind: "list" | "asn" | "flags";
  /** Lines, or networks. */
  readonly entries: number;
  readonly ranges4: LabelledRanges;
  readonly ranges6: LabelledRanges;
  /** AS numbers that a list names. */
  readonly asns: Uint32Array;
}

/** With both: a list of which some lines cannot be read, and what the others say. */
export interface SourceRead {
  readonly image?: ParsedList | undefined;
  readonly problem?: string | undefined;
  /** The problem is none of what is in the file, so the same file may be read later. */
  readonly isPassing?: boolean;
  /** When the file was written. */
  readonly modifiedMs?: number | undefined;
}
