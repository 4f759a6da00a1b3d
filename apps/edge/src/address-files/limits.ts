/** Limits of VPN lists, each with its unit. A file beyond one of them is refused as a whole. */
export const vpnLimits = {
  /** Files at once; those after them are left out. */
  sourcesMax: 64,
  listBytesMax: 32 * 1_048_576,
  linesMax: 1_000_000,
  /** Characters of a line that are read; only a comment can follow. */
  lineCharactersMax: 512,
  mmdbBytesMax: 256 * 1_048_576,
  /** Nodes of the tree in a MaxMind-format file. */
  nodesMax: 2 ** 25,
  /** Ranges of one family in a file, after neighbours of one kind were joined, and in all files. */
  rangesMax: 2 ** 21,
  /** Shortest prefix: one entry of a list never covers more of the world. */
  widest4: 8,
  widest6: 16,
  /** Reading one file, or making one table of all. */
  jobMs: 60_000,
  /** One download in whole. */
  downloadMs: 300_000,
  /** MiB of the thread that does it. */
  threadHeapMb: 768,
} as const;
