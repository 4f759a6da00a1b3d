import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { threadProtocol, type WorkerStart } from "./thread-messages.ts";
import { threadStarter, WorkerThread } from "./worker-thread.ts";

test("a thread whose files are of another release than the program ends before it touches anything", async () => {
  const ended = Promise.withResolvers<unknown>();
  // As a program of another release would: only this much is known of it.
  const options = { openFilesMax: 64 } as WorkerStart["options"];
  const start = { index: 0, protocol: threadProtocol + 1, options } as WorkerStart;
  const events = { onMessage: () => undefined, onExit: ended.resolve };
  const thread = new WorkerThread(start, threadStarter(1), events);
  expect(String(await ended.promise)).toContain("another release");
  await thread.prepared;
});

const listLoaded = `
  const { registerHooks } = process.getBuiltinModule("node:module");
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  // Outside of a thread it ends once everything is loaded.
  await import(process.argv[1]).catch(() => undefined);
  process.stdout.write(loaded.join(" "));
`;

test("a worker thread loads our own files and koffi: no schemas, logger or metrics", () => {
  const { href } = new URL("worker-main.ts", import.meta.url);
  const args = ["--input-type=module", "-e", listLoaded, href];
  const loaded = execFileSync(process.execPath, args, { encoding: "utf8" }).split(" ");
  expect(loaded.filter((url) => url.includes("/src/connection/"))).not.toEqual([]);
  const packages = loaded.flatMap(
    (url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? [],
  );
  expect(new Set(packages)).toEqual(new Set(["koffi", "@koromix/koffi-linux-" + process.arch]));
});
