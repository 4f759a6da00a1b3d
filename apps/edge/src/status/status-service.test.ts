import { describe, expect, test } from "vitest";
import { compileShield, type CompiledShield } from "#src/shields/compiled-shield.ts";
import { ShieldTally } from "#src/telemetry/shield-tally.ts";
import { sampleDomain } from "@palisade/testing/sample-shield";
import { shieldId, testBackend, testGroup, testShield } from "#src/testing/test-edge.ts";
import type { StatusFetchResult, StatusQuestion } from "./fetch-status.ts";
import { StatusService, uncachedPerSecondMax } from "./status-service.ts";

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

const host = "play.example.org";
const answer: StatusFetchResult = { kind: "answer", frame: Buffer.from("answer") };

function serviceWith(fetch: (question: StatusQuestion) => StatusFetchResult | Promise<never>) {
  const clock = { nowMs: 1_000_000 };
  const asked: number[] = [];
  const hosts: string[] = [];
  const service = new StatusService({
    nowMs: () => clock.nowMs,
    fetch: async (question) => {
      asked.push(question.backend.port);
      hosts.push(question.host);
      return fetch(question);
    },
  });
  return { clock, asked, hosts, service };
}

describe("status service", () => {
  test("a failing backend is rested, then asked behind the players' backs", async () => {
    const state: { result: StatusFetchResult } = { result: { kind: "unreachable" } };
    const { asked, clock, service } = serviceWith(() => state.result);
    const shield = shieldOf();
    expect(await service.answer(shield, 47, host)).toBe(shield.motd.frame);
    expect(asked).toEqual([1, 2]);
    // At rest: the answer is at hand, nobody is asked.
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

  test("a mute protocol does not take the others' answers away", async () => {
    const { service } = serviceWith(({ protocol }) =>
      protocol === 47 ? { kind: "refused" } : answer,
    );
    const shield = shieldOf();
    expect(await service.answer(shield, 772, host)).toEqual(answer.frame);
    expect(await service.answer(shield, 47, host)).toBe(shield.motd.frame);
    expect(service.answer(shield, 772, host)).toEqual(answer.frame);
  });

  test("backends that never answer take no fetches from the others", async () => {
    const never = new Promise<never>(() => undefined);
    const { asked, service } = serviceWith(() => never);
    const protocols = [47, 107, 110, 210, 315, 335, 338, 340, 393, 401, 404, 477, 480, 485];
    protocols.push(490, 498, 573, 575, 578, 735, 736, 751, 753, 754, 755, 756, 757, 758);
    const shield = shieldOf();
    for (const protocol of protocols) void service.answer(shield, protocol, host);
    await new Promise((resolve) => setImmediate(resolve));
    // The first backend is full, so the rest went to the second, up to its own share.
    expect(asked.filter((port) => port === 1)).toHaveLength(16);
    expect(asked.filter((port) => port === 2).length).toBeLessThanOrEqual(16);
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

  test("no more than 256 fetches are under way, and who comes then gets the MOTD", async () => {
    const { asked, service } = serviceWith(() => new Promise<never>(() => undefined));
    const shields = Array.from({ length: 300 }, () => shieldOf());
    const answers = shields.map((shield) => service.answer(shield, 47, host));
    await Promise.resolve();
    expect(asked).toHaveLength(256);
    expect(await answers.at(-1)).toEqual(shields.at(-1)?.motd.frame);
  });

  test("old answers are swept, and all memory for them is given back", async () => {
    const { clock, service } = serviceWith(() => answer);
    await service.answer(shieldOf(), 47, host);
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
    await service.answer(first, 47, host);
    const second = shieldOf(first, { revision: 2 });
    await service.answer(second, 47, host);
    expect(asked).toEqual([1]);
    const moved = shieldOf(second, { groups: [testGroup(testBackend(9, 1))] });
    await service.answer(moved, 47, host);
    expect(asked).toEqual([1, 9]);
    const headed = shieldOf(second, {
      groups: [{ ...testGroup(testBackend(1, 1)), proxy_protocol: true }],
    });
    await service.answer(headed, 47, host);
    expect(asked).toEqual([1, 9, 1]);
  });

  test("each domain has its own answer; the label and names below a wildcard share the first's", async () => {
    const { hosts, service } = serviceWith(() => answer);
    const domains = ["play.example.org", "lobby.example.org", "*.example.org"].map(sampleDomain);
    const shield = shieldOf(undefined, { domains });
    const named = [
      "play.example.org",
      "lobby.example.org",
      "a.example.org",
      shield.claims[0]?.host,
    ];
    for (const name of [...named, ...named]) await service.answer(shield, 47, name ?? "");
    expect(hosts).toEqual(["play.example.org", "lobby.example.org"]);
  });

  test("a purge forgets at once what was kept, and what is still on its way", async () => {
    const waiting: ((result: StatusFetchResult) => void)[] = [];
    const late = () => new Promise<never>((resolve) => waiting.push(resolve as never));
    const state: { fetch: () => StatusFetchResult | Promise<never> } = { fetch: () => answer };
    const { asked, service } = serviceWith(() => state.fetch());
    const first = shieldOf();
    const cache = { enabled: true, fresh_ms: 5_000, stale_ms: 60_000 };
    await service.answer(first, 47, host);
    state.fetch = late;
    const before = service.answer(first, 340, host);
    await Promise.resolve();
    const purged = shieldOf(first, { revision: 2, status_cache: { ...cache, purge: 1 } });
    const [after47, after340] = [47, 340].map((protocol) => service.answer(purged, protocol, host));
    await Promise.resolve();
    expect(asked).toHaveLength(4);
    expect(service.cachedBytes).toBe(0);
    const [old, new47, new340] = waiting;
    old?.({ kind: "answer", frame: Buffer.from("old") });
    new47?.({ kind: "answer", frame: Buffer.from("new 47") });
    new340?.({ kind: "answer", frame: Buffer.from("new 340") });
    expect((await Promise.all([before, after47, after340])).map(String)).toEqual([
      "old",
      "new 47",
      "new 340",
    ]);
    expect(service.answer(purged, 340, host)).toEqual(Buffer.from("new 340"));
  });

  test("with caching off every ping asks, up to the cap; then the last answer, if it is young", async () => {
    const state = { count: 0, fails: false };
    const { asked, clock, service } = serviceWith(() =>
      state.fails
        ? { kind: "skipped" }
        : { kind: "answer", frame: Buffer.from(String(++state.count)) },
    );
    const cache = { enabled: false, fresh_ms: 5_000, stale_ms: 60_000, purge: 0 };
    const groups = [testGroup(testBackend(1, 1))];
    const shield = shieldOf(undefined, { groups, status_cache: cache });
    for (let n = 1; n <= uncachedPerSecondMax; n++) {
      expect(String(await service.answer(shield, 47, host))).toBe(String(n));
    }
    expect(shield.tally.statusHits).toBe(0);
    for (let n = 0; n < 10; n++) {
      expect(service.answer(shield, 47, host)).toEqual(Buffer.from(String(uncachedPerSecondMax)));
    }
    expect(shield.tally.statusHits).toBe(10);
    // Nothing is known of another protocol, and nobody may be asked.
    expect(await service.answer(shield, 340, host)).toBe(shield.motd.frame);
    expect(asked).toHaveLength(uncachedPerSecondMax);
    clock.nowMs += 1_000;
    expect(String(await service.answer(shield, 47, host))).toBe(String(uncachedPerSecondMax + 1));
  });

  test("with caching off those who ask at once each have a fetch of their own", async () => {
    const { asked, service } = serviceWith(() => answer);
    const cache = { enabled: false, fresh_ms: 5_000, stale_ms: 60_000, purge: 0 };
    const shield = shieldOf(undefined, { status_cache: cache });
    for (let n = 0; n < 10; n++) void service.answer(shield, 47, host);
    await Promise.resolve();
    expect(asked).toHaveLength(10);
  });

  test("with caching off a backend that is gone is not asked by every ping", async () => {
    const { asked, clock, service } = serviceWith(() => ({ kind: "unreachable" }));
    const cache = { enabled: false, fresh_ms: 5_000, stale_ms: 60_000, purge: 0 };
    const shield = shieldOf(undefined, { status_cache: cache });
    await service.answer(shield, 47, host);
    asked.length = 0;
    for (let n = 0; n < 20; n++) expect(service.answer(shield, 47, host)).toBe(shield.motd.frame);
    expect(asked).toEqual([]);
    clock.nowMs += 2_000;
    for (let n = 0; n < 20; n++) expect(service.answer(shield, 47, host)).toBe(shield.motd.frame);
    await Promise.resolve();
    expect(asked.filter((port) => port === 1)).toHaveLength(1);
  });

  test("a ping counts as a hit where nobody was asked for it", async () => {
    const { clock, service } = serviceWith(() => answer);
    const shield = shieldOf();
    const hits = (): number => shield.tally.statusHits;
    const first = service.answer(shield, 47, host);
    await service.answer(shield, 47, host);
    await first;
    expect(hits()).toBe(1);
    void service.answer(shield, 47, host);
    expect(hits()).toBe(2);
    clock.nowMs += 10_000;
    void service.answer(shield, 47, host);
    expect(hits()).toBe(3);
    await new Promise((resolve) => setImmediate(resolve));
    clock.nowMs += 100_000;
    await service.answer(shield, 47, host);
    expect(hits()).toBe(3);
  });

  test("the second group of the chain answers where the first is down", async () => {
    const other = {
      ...testGroup(testBackend(7, 7)),
      id: "0190a000-0000-7000-8000-000000000051",
      default: false,
      location: null,
    };
    const { asked, service } = serviceWith(({ backend }) =>
      backend.port === 7 ? { kind: "unreachable" } : answer,
    );
    const shield = shieldOf(undefined, { groups: [testGroup(testBackend(1, 1)), other] });
    const [main, second] = shield.groups;
    if (main === undefined || second === undefined) throw new Error("no groups");
    const view = { ...shield, chain: [second, main], group: second };
    expect(await service.answer(view, 47, host)).toEqual(answer.frame);
    expect(asked).toEqual([7, 1]);
  });
});
