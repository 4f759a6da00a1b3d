import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { FromWorker } from "./thread-messages.ts";
import { createWorkerLog } from "./worker-log.ts";

/** An error as the log writes it, without the time. */
function written(error: Error): unknown {
  let line = "";
  const write = (chunk: Buffer, _: string, done: () => void): void => {
    line += String(chunk);
    done();
  };
  pino({ base: null, timestamp: false }, new Writable({ write })).error({ err: error }, "failed");
  return JSON.parse(line);
}

test("an error reaches the log from a worker as it is written by the main thread: type, causes and code", () => {
  const sent: FromWorker[] = [];
  const log = createWorkerLog((message) => void sent.push(structuredClone(message)));
  const cause = Object.assign(new RangeError("too long"), { code: "ERR_CAUSE" });
  const error = Object.assign(new TypeError("not sent", { cause }), { code: "EPIPE", errno: 32 });
  log.error({ err: error, relay: 7 }, "failed");
  log.info("started");
  expect(sent).toEqual([
    {
      kind: "log",
      line: {
        level: "error",
        text: "failed",
        facts: { relay: 7, err: expect.any(Object) as object },
      },
    },
    { kind: "log", line: { level: "info", text: "started", facts: {} } },
  ]);
  const [first] = sent;
  const facts = first?.kind === "log" ? first.line.facts : undefined;
  expect(written(error)).toMatchObject({ msg: "failed", err: (facts as { err: object }).err });
});
