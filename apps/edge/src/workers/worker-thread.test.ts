import { expect, test } from "vitest";
import { threadProtocol, type WorkerStart } from "./thread-messages.ts";
import { WorkerThread } from "./worker-thread.ts";

test("a thread whose files are of another release than the program ends before it touches anything", async () => {
  const ended = Promise.withResolvers<unknown>();
  // As a program of another release would: only this much is known of it.
  const options = { openFilesMax: 64 } as WorkerStart["options"];
  const start = { index: 0, protocol: threadProtocol + 1, options } as WorkerStart;
  const events = { onMessage: () => undefined, onExit: ended.resolve };
  const thread = new WorkerThread(start, { heapMb: 64 }, events);
  expect(String(await ended.promise)).toContain("another release");
  await thread.prepared;
});
