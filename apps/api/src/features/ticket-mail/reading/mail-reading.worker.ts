import { parentPort } from "node:worker_threads";
import { parseMail } from "./parse-mail.ts";
import type { ReadingOptions } from "./read-mail.ts";

export interface ReadingOrder {
  readonly source: Uint8Array;
  readonly options: ReadingOptions;
}

// One mail after the other: the next order comes after the answer. A failure ends the thread.
parentPort?.on("message", ({ source, options }: ReadingOrder) => {
  parseMail(source, options).then(
    (mail) => parentPort?.postMessage(mail, []),
    (error: unknown) => {
      queueMicrotask(() => {
        throw error;
      });
    },
  );
});
