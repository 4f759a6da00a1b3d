import { readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { readPlaces } from "./read-places.ts";
import type { PlaceJob, PlaceRead } from "./place-messages.ts";

/** Nice value: players go before. */
const priority = 10;
// Linux has priorities of threads; elsewhere it would be the whole program's.
if (process.platform === "linux") setPriority(priority);

// Our own main thread has made it.
const { path } = workerData as PlaceJob;
parentPort?.postMessage(await read(path));

async function read(from: string): Promise<PlaceRead> {
  try {
    return { file: readPlaces(await readFile(from)) };
  } catch (error) {
    // The library throws whatever it stumbles over, out of the file's bounds too.
    return { problem: error instanceof Error ? error.message : "is damaged" };
  }
}
