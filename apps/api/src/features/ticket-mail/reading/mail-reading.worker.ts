import { parentPort, workerData } from "node:worker_threads";
import { parseMail } from "./parse-mail.ts";
import type { ReadingOptions } from "./read-mail.ts";

interface Work {
  readonly source: Uint8Array;
  readonly options: ReadingOptions;
}

// Given by mail-reading.ts, which is this program too.
const { source, options } = workerData as Work;
const mail = await parseMail(source, options);
parentPort?.postMessage(mail);
