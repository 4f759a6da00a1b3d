import type { StreamLine } from "@palisade/contract/edge/stream";

/** A line without configurations. */
export function toLine(line: Exclude<StreamLine, { kind: "shield" | "delta" }>): string {
  return JSON.stringify(line);
}

interface RecordText {
  readonly shield_id: string;
  readonly revision: number;
  readonly config: string;
}

/** Id and revision come first: a reader can name the shield of a line it cannot take. */
function recordText({ shield_id, revision, config }: RecordText): string {
  return `{"shield_id":"${shield_id}","revision":${revision},"config":${config}}`;
}

/** Configurations are stored as JSON text and sent without being parsed. */
export function shieldLine(version: number, row: RecordText): string {
  return `{"kind":"shield","version":${version},"record":${recordText(row)}}`;
}

export function deltaLine(delta: {
  readonly version: number;
  readonly since: number;
  readonly shields: readonly RecordText[];
  readonly removed: readonly string[];
}): string {
  const shields = delta.shields.map(recordText).join(",");
  return (
    `{"kind":"delta","version":${delta.version},"since":${delta.since},` +
    `"shields":[${shields}],"removed":${JSON.stringify(delta.removed)}}`
  );
}
