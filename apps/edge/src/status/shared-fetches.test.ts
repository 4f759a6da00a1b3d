import { randomUUID } from "node:crypto";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { TimerWheel } from "@palisade/sockets/timer-wheel";
import { backendsOf, host, shieldOf } from "#src/testing/test-status-service.ts";
import { placeOf, type StatusFetchResult, type StatusRequest } from "./fetch-status.ts";
import { type FetchedAnswer, SharedFetches } from "./shared-fetches.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const [backend] = backendsOf(shieldOf());
if (backend === undefined) throw new Error("no backend");
const question: StatusRequest = { backend, proxyProtocol: false, protocol: 767, host, purge: 1 };

/** Threads in all but the memory they do not share, on one clock. */
function setUp(count: number) {
  const clock = { nowMs: 1_000_000 };
  const monotonicMs = (): number => clock.nowMs;
  const buffers = SharedFetches.allocate(new Uint8Array(8), randomUUID());
  const asked: { readonly thread: number; readonly answer: (result: StatusFetchResult) => void }[] =
    [];
  const threads = Array.from({ length: count }, (_, thread) => {
    const wheel = new TimerWheel(monotonicMs);
    const offered: FetchedAnswer[] = [];
    const fetches = new SharedFetches(buffers, {
      fetch: () => new Promise((answer) => asked.push({ thread, answer })),
      wheel,
      monotonicMs,
      onAnswer: (answer) => void offered.push(answer),
    });
    closers.push(() => fetches.close());
    return { fetches, wheel, offered };
  });
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.nowMs += 100;
      for (const { wheel } of threads) wheel.advance();
    }
  };
  return { threads, asked, pass };
}

const frame = Buffer.from("an answer");

describe("a status that several threads want", () => {
  test("is asked for once; those who wait get it, and all others have it", async () => {
    const { threads, asked } = setUp(3);
    const results = threads.slice(0, 2).map(({ fetches }) => fetches.fetch(question));
    await until(() => asked.length === 1);
    asked[0]?.answer({ kind: "answer", frame });
    for (const result of await Promise.all(results)) {
      expect(result).toMatchObject({ kind: "answer" });
      expect(result.kind === "answer" && result.frame.toString()).toBe("an answer");
    }
    const third = threads[2]?.offered;
    await until(() => third?.length === 1);
    expect(third?.[0]).toMatchObject({ place: placeOf(question), host, protocol: 767, purge: 1 });
    expect(third?.[0]?.frame.toString()).toBe("an answer");
    expect(asked).toHaveLength(1);
  });

  test("a failure is told too, and after a moment anybody may ask again", async () => {
    const { threads, asked, pass } = setUp(2);
    const results = threads.map(({ fetches }) => fetches.fetch(question));
    await until(() => asked.length === 1);
    asked[0]?.answer({ kind: "unreachable" });
    expect(await Promise.all(results)).toEqual([{ kind: "unreachable" }, { kind: "unreachable" }]);
    pass(1_000);
    void threads[1]?.fetches.fetch(question);
    await until(() => asked.length === 2);
    expect(asked.map(({ thread }) => thread)).toEqual([0, 1]);
  });

  test("a thread that dies while it asks keeps the others waiting no longer than a fetch takes", async () => {
    const { threads, asked, pass } = setUp(2);
    void threads[0]?.fetches.fetch(question);
    await until(() => asked.length === 1);
    const waiting = threads[1]?.fetches.fetch(question);
    pass(5_000);
    await until(() => asked.length === 2);
    asked[1]?.answer({ kind: "answer", frame });
    expect(await waiting).toMatchObject({ kind: "answer" });
  });

  test("a backend that has moved is another one: what its former place says is not its answer", async () => {
    const { threads, asked } = setUp(2);
    void threads[0]?.fetches.fetch(question);
    const moved = { ...question, backend: { ...backend, port: backend.port + 1 } };
    const waiting = threads[1]?.fetches.fetch(moved);
    await until(() => asked.length === 2);
    asked[0]?.answer({ kind: "answer", frame });
    asked[1]?.answer({ kind: "answer", frame: Buffer.from("of the new place") });
    const result = await waiting;
    expect(result?.kind === "answer" && result.frame.toString()).toBe("of the new place");
  });

  test("other names, protocols and purges are asked for apart, and what no memory keeps each time", async () => {
    const { threads, asked } = setUp(2);
    for (const { fetches } of threads) {
      void fetches.fetch(question);
      void fetches.fetch({ ...question, purge: 2 });
      void fetches.fetch({ ...question, protocol: 340 });
      void fetches.fetch({ ...question, host: `${"very-long-".repeat(20)}example.org` });
      void fetches.fetch({ ...question, purge: undefined });
    }
    await until(() => asked.length === 6);
  });
});
