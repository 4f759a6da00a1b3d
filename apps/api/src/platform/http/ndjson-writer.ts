import { once } from "node:events";
import type { Writable } from "node:stream";

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
