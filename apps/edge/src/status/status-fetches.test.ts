import { describe, expect, test } from "vitest";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { testBackend, testGroup } from "#src/testing/test-edge.ts";
import {
  answer,
  backendsOf,
  host,
  serviceWith,
  settled,
  shieldOf,
} from "#src/testing/test-status-service.ts";
import type { StatusFetchResult } from "./fetch-status.ts";

/** Fetches wait until they are all answered. */
function waitingService() {
  const waiting: ((result: StatusFetchResult) => void)[] = [];
  const late = () => new Promise<never>((resolve) => waiting.push(resolve as never));
  const answerAll = (text: string): void => {
    for (const resolve of waiting.splice(0)) {
      resolve({ kind: "answer", frame: Buffer.from(text) });
    }
  };
  return { ...serviceWith(late), answerAll };
}

/** Another shield each. */
function numbered(n: number, backends = 1): CompiledShield {
  const shield_id = `0190a000-0000-7000-8000-${String(n).padStart(12, "0")}`;
  const all = Array.from({ length: backends }, (_, b) => testBackend(b + 1, b + 1));
  return shieldOf(undefined, { shield_id, groups: [testGroup(...all)] });
}

const protocols = [47, 107, 110, 210, 315, 335, 338, 340, 393, 401, 404, 477, 480, 485];
protocols.push(490, 498, 573, 575, 578, 735, 736, 751, 753, 754, 755, 756, 757, 758);

describe("status service", () => {
  test("a failing backend is rested, then asked behind the players' backs", async () => {
    const state: { result: StatusFetchResult } = { result: { kind: "unreachable" } };
    const { asked, clock, service } = serviceWith(() => state.result);
    const shield = shieldOf();
    expect(await service.answer(shield, 47, host)).toBe(shield.motd.frame);
    expect(asked).toEqual([1, 2]);
    // At rest: the answer is in memory, no backend is asked.
    expect(service.answer(shield, 47, host)).toBe(shield.motd.frame);
    expect(asked).toEqual([1, 2]);
    clock.nowMs += 2_000;
    state.result = answer;
    expect(service.answer(shield, 47, host)).toBe(shield.motd.frame);
    await Promise.resolve();
    expect(asked).toEqual([1, 2, 1, 2]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(service.answer(shield, 47, host)).toEqual(answer.frame);
  });

  test("one backend gets 16 requests at once, and later pings share their answers", async () => {
    const { asked, answerAll, service } = waitingService();
    const shield = shieldOf();
    const answers = protocols.map((protocol) => service.answer(shield, protocol, host));
    await settled();
    expect(asked).toEqual(Array.from({ length: 16 }, () => 1));
    answerAll("up");
    expect(new Set(await Promise.all(answers.map(async (answer) => String(await answer))))).toEqual(
      new Set(["up"]),
    );
    expect(asked).toHaveLength(16);
  });

  test("if a backend has 16 requests already, an older answer is given at once", async () => {
    const { clock, answerAll, service } = waitingService();
    const shield = shieldOf();
    const first = service.answer(shield, 47, host);
    await settled();
    answerAll("before");
    await first;
    clock.nowMs += shield.cache.staleMs + 1;
    const others = protocols.slice(1);
    for (const protocol of others.slice(0, 16)) void service.answer(shield, protocol, host);
    // One's own, though it has expired, else another protocol's.
    expect(service.answer(shield, 47, host)).toEqual(Buffer.from("before"));
    expect(service.answer(shield, others[16] ?? 0, host)).toEqual(Buffer.from("before"));
    clock.nowMs += 120_000;
    expect(service.answer(shield, 47, host)).toBeInstanceOf(Promise);
  });

  test("a backend that has failed is asked by one fetch at a time", async () => {
    const state: { result: StatusFetchResult } = { result: { kind: "unreachable" } };
    const { asked, clock, service } = serviceWith(() => state.result);
    const shield = shieldOf();
    await service.answer(shield, 47, host);
    asked.length = 0;
    clock.nowMs += 2_000;
    for (const protocol of [47, 107, 340])
      expect(service.answer(shield, protocol, host)).toBe(shield.motd.frame);
    await Promise.resolve();
    expect(asked.filter((port) => port === 1)).toHaveLength(1);
  });

  test("short of descriptors nothing is asked and nothing forgotten", async () => {
    const state: { result: StatusFetchResult } = { result: answer };
    const { clock, service } = serviceWith(() => state.result);
    const shield = shieldOf();
    await service.answer(shield, 47, host);
    state.result = { kind: "skipped" };
    clock.nowMs += 10_000;
    expect(service.answer(shield, 47, host)).toEqual(answer.frame);
    await new Promise((resolve) => setImmediate(resolve));
    expect(service.answer(shield, 47, host)).toEqual(answer.frame);
    expect(service.cachedBytes).toBe(6);
  });

  test("no more than 256 fetches are under way, and who comes then waits for a turn", async () => {
    const { asked, answerAll, service } = waitingService();
    const shields = Array.from({ length: 300 }, (_, n) => numbered(n));
    const answers = shields.map((shield) => service.answer(shield, 47, host));
    await settled();
    expect(asked).toHaveLength(256);
    answerAll("up");
    await settled();
    expect(asked).toHaveLength(300);
    answerAll("up");
    expect(new Set(await Promise.all(answers.map(async (answer) => String(await answer))))).toEqual(
      new Set(["up"]),
    );
  });

  test("a shield has 32 fetches under way at most, whatever it has behind it", async () => {
    const { asked, service } = waitingService();
    const backends = Array.from({ length: 60 }, (_, n) => testBackend(n + 1, n + 1));
    const shield = shieldOf(undefined, { groups: [testGroup(...backends)] });
    for (const backend of backendsOf(shield)) {
      for (const protocol of protocols) void service.answer(shield, protocol, host);
      backend.health.failed("timeout", { wallMs: 0, monotonicMs: 0 });
      backend.health.failed("timeout", { wallMs: 0, monotonicMs: 1_000 });
    }
    await settled();
    expect(asked).toHaveLength(32);
    void service.answer(numbered(7), 47, host);
    await settled();
    expect(asked).toHaveLength(33);
  });

  test("backends that fail have 32 fetches of their own, and a shield of them asks few at once", async () => {
    const { asked, clock, service } = waitingService();
    const failing = Array.from({ length: 100 }, (_, n) => numbered(n, 8));
    for (const shield of failing) {
      for (const { status } of backendsOf(shield)) status.failedAtMs = clock.nowMs - 2_000;
      expect(service.answer(shield, 47, host)).toBe(shield.motd.frame);
    }
    await settled();
    expect(asked).toHaveLength(32);
    void service.answer(numbered(200), 47, host);
    await settled();
    expect(asked).toHaveLength(33);
    // The shield that came first: 8 backends, of which 4 are asked.
    const first = failing[0]?.groups[0]?.backends ?? [];
    expect(first.filter(({ status }) => status.fetches > 0)).toHaveLength(4);
  });

  test("a backend that is down is not asked, and none of its answers is kept", async () => {
    const { asked, clock, service } = serviceWith(() => answer);
    const shield = shieldOf();
    const [first, second] = backendsOf(shield);
    for (const monotonicMs of [0, 1_000]) {
      first?.health.failed("refused", { wallMs: 0, monotonicMs });
    }
    expect(await service.answer(shield, 47, host)).toEqual(answer.frame);
    for (const monotonicMs of [0, 1_000]) {
      second?.health.failed("refused", { wallMs: 0, monotonicMs });
    }
    clock.nowMs += 60_000;
    expect(service.answer(shield, 47, host)).toBe(shield.motd.frame);
    expect(asked).toEqual([2]);
    expect(first?.status.hosts.size).toBe(0);
  });

  test("no backend is asked for a ping whose time is over", async () => {
    const backends = Array.from({ length: 10 }, (_, n) => testBackend(n + 1, n + 1));
    const shield = shieldOf(undefined, { groups: [testGroup(...backends)] });
    const { asked, clock, service } = serviceWith(() => {
      clock.nowMs += 3_000;
      return { kind: "unreachable" };
    });
    expect(await service.answer(shield, 47, host)).toBe(shield.motd.frame);
    expect(asked).toEqual([1, 2, 3]);
  });
});
