import { once } from "node:events";
import type { Writable } from "node:stream";
import type { StreamLine } from "@palisade/contract/edge/stream";

/** A reader that has taken nothing for this long is cut off; it reconnects when it can. */
export const stallMsMax = 15_000;

/** Writes the lines of a stream. Each write waits until the reader has made room. */
export interface NdjsonWriter {
  /** @throws Error where the reader stalls or has gone; the output is destroyed then */
  write(...lines: readonly string[]): Promise<void>;
}

/** At most the lines of one `write` are held for a slow reader. */
export function createNdjsonWriter(output: Writable, stallMs: number): NdjsonWriter {
  return {
    async write(...lines) {
      if (output.destroyed) throw new Error("the reader has gone");
      if (output.write(lines.map((line) => `${line}\n`).join(""))) return;
      const patience = AbortSignal.timeout(stallMs);
      const gone = new AbortController();
      const leave = () => gone.abort();
      output.once("close", leave);
      try {
        await once(output, "drain", { signal: AbortSignal.any([patience, gone.signal]) });
      } catch (cause) {
        output.destroy();
        throw new Error(patience.aborted ? "the reader stalled" : "the reader has gone", { cause });
      } finally {
        output.off("close", leave);
      }
    },
  };
}

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
