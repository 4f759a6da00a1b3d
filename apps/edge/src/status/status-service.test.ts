import { describe, expect, test } from "vitest";
import { compileShield, type CompiledShield } from "#src/shields/compiled-shield.ts";
import { ShieldTally } from "#src/telemetry/shield-tally.ts";
import { shieldId, testBackend, testGroup, testShield } from "#src/testing/test-edge.ts";
import type { StatusFetchResult, StatusQuestion } from "./fetch-status.ts";
import { StatusService } from "./status-service.ts";

function shieldOf(
  before?: CompiledShield,
  change: Parameters<typeof testShield>[0] = {},
): CompiledShield {
  const groups = [testGroup(testBackend(1, 1), testBackend(2, 2))];
  const config = testShield({ groups, ...change });
  const result = compileShield(config, new ShieldTally(shieldId), before);
  if (!result.ok) throw new Error(result.reason);
  return result.shield;
}

const answer: StatusFetchResult = { kind: "answer", frame: Buffer.from("answer") };

function serviceWith(fetch: (question: StatusQuestion) => StatusFetchResult | Promise<never>) {
  const clock = { nowMs: 1_000_000 };
  const asked: number[] = [];
  const service = new StatusService({
    nowMs: () => clock.nowMs,
    fetch: async (question) => {
      asked.push(question.backend.port);
      return fetch(question);
    },
  });
  return { clock, asked, service };
}

describe("status service", () => {
  test("a failing backend is rested, then asked behind the players' backs", async () => {
    const state: { result: StatusFetchResult } = { result: { kind: "unreachable" } };
    const { asked, clock, service } = serviceWith(() => state.result);
    const shield = shieldOf();
    expect(await service.answer(shield, 47)).toBe(shield.motd);
    expect(asked).toEqual([1, 2]);
    // At rest: the answer is at hand, nobody is asked.
    expect(service.answer(shield, 47)).toBe(shield.motd);
    expect(asked).toEqual([1, 2]);
    clock.nowMs += 2_000;
    state.result = answer;
    expect(service.answer(shield, 47)).toBe(shield.motd);
    await Promise.resolve();
    expect(asked).toEqual([1, 2, 1, 2]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(service.answer(shield, 47)).toEqual(answer.frame);
  });

  test("a mute protocol does not take the others' answers away", async () => {
    const { service } = serviceWith(({ protocol }) =>
      protocol === 47 ? { kind: "refused" } : answer,
    );
    const shield = shieldOf();
    expect(await service.answer(shield, 772)).toEqual(answer.frame);
    expect(await service.answer(shield, 47)).toBe(shield.motd);
    expect(service.answer(shield, 772)).toEqual(answer.frame);
  });

  test("backends that never answer take no fetches from the others", async () => {
    const never = new Promise<never>(() => undefined);
    const { asked, service } = serviceWith(() => never);
    const protocols = [47, 107, 110, 210, 315, 335, 338, 340, 393, 401, 404, 477, 480, 485];
    protocols.push(490, 498, 573, 575, 578, 735, 736, 751, 753, 754, 755, 756, 757, 758);
    const shield = shieldOf();
    for (const protocol of protocols) void service.answer(shield, protocol);
    await new Promise((resolve) => setImmediate(resolve));
    // The first backend is full, so the rest went to the second, up to its own share.
    expect(asked.filter((port) => port === 1)).toHaveLength(16);
    expect(asked.filter((port) => port === 2).length).toBeLessThanOrEqual(16);
  });

  test("a backend that has failed is asked by one fetch at a time", async () => {
    const state: { result: StatusFetchResult } = { result: { kind: "unreachable" } };
    const { asked, clock, service } = serviceWith(() => state.result);
    const shield = shieldOf();
    await service.answer(shield, 47);
    asked.length = 0;
    clock.nowMs += 2_000;
    for (const protocol of [47, 107, 340])
      expect(service.answer(shield, protocol)).toBe(shield.motd);
    await Promise.resolve();
    expect(asked.filter((port) => port === 1)).toHaveLength(1);
  });

  test("short of descriptors nothing is asked and nothing forgotten", async () => {
    const state: { result: StatusFetchResult } = { result: answer };
    const { clock, service } = serviceWith(() => state.result);
    const shield = shieldOf();
    await service.answer(shield, 47);
    state.result = { kind: "skipped" };
    clock.nowMs += 10_000;
    expect(service.answer(shield, 47)).toEqual(answer.frame);
    await new Promise((resolve) => setImmediate(resolve));
    expect(service.answer(shield, 47)).toEqual(answer.frame);
    expect(service.cachedBytes).toBe(6);
  });

  test("no more than 256 fetches are under way, and who comes then gets the MOTD", async () => {
    const { asked, service } = serviceWith(() => new Promise<never>(() => undefined));
    const shields = Array.from({ length: 300 }, () => shieldOf());
    const answers = shields.map((shield) => service.answer(shield, 47));
    await Promise.resolve();
    expect(asked).toHaveLength(256);
    expect(await answers.at(-1)).toEqual(shields.at(-1)?.motd);
  });

  test("old answers are swept, and all memory for them is given back", async () => {
    const { clock, service } = serviceWith(() => answer);
    await service.answer(shieldOf(), 47);
    expect(service.cachedBytes).toBe(6);
    clock.nowMs += 1_000;
    service.sweep(2_000);
    expect(service.cachedBytes).toBe(6);
    service.sweep(500);
    expect(service.cachedBytes).toBe(0);
  });

  test("a change of lists keeps the answers, another address or header does not", async () => {
    const { asked, service } = serviceWith(() => answer);
    const first = shieldOf();
    await service.answer(first, 47);
    const second = shieldOf(first, { revision: 2 });
    await service.answer(second, 47);
    expect(asked).toEqual([1]);
    const moved = shieldOf(second, { groups: [testGroup(testBackend(9, 1))] });
    await service.answer(moved, 47);
    expect(asked).toEqual([1, 9]);
    const headed = shieldOf(second, {
      groups: [{ ...testGroup(testBackend(1, 1)), proxy_protocol: true }],
    });
    await service.answer(headed, 47);
    expect(asked).toEqual([1, 9, 1]);
  });
});
