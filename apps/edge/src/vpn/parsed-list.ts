import type { LabelledRanges } from "#src/protection/vpn-lookup.ts";

/** What records of MaxMind's Anonymous-IP files say, the more telling first, and how we call it. */
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
  /** What the labels of its ranges are: nothing, an AS number, or a place in `flagKinds`. */
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
