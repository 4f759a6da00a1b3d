import { sampleDomain } from "@palisade/testing/sample-shield";
import { describe, expect, test } from "vitest";
import { testBackend, testGroup } from "#src/testing/test-edge.ts";
import {
  answer,
  backendsOf,
  host,
  serviceWith,
  settled,
  shieldOf,
} from "#src/testing/test-status-service.ts";
import { placeOf, type StatusFetchResult } from "./fetch-status.ts";
import type { FetchedAnswer } from "./shared-fetches.ts";
import { uncachedPerSecondMax } from "./status-service.ts";

describe("status service", () => {
  test("a mute protocol does not take the others' answers away", async () => {
    const { service } = serviceWith(({ protocol }) =>
      protocol === 47 ? { kind: "refused" } : answer,
    );
    const shield = shieldOf();
    expect(await service.answer(shield, 772, host)).toEqual(answer.frame);
    expect(await service.answer(shield, 47, host)).toBe(shield.motd.frame);
    expect(service.answer(shield, 772, host)).toEqual(answer.frame);
  });

  test("old answers are swept, and those of a backend that is gone forgotten", async () => {
    const { clock, service } = serviceWith(() => answer);
    const shield = shieldOf();
    await service.answer(shield, 47, host);
    clock.nowMs += shield.cache.staleMs;
    service.sweep();
    expect(service.cachedBytes).toBe(6);
    clock.nowMs += 60_001;
    service.sweep();
    expect(service.cachedBytes).toBe(0);
    await service.answer(shield, 47, host);
    for (const backend of backendsOf(shield)) service.forget(backend);
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

  test("another thread's answer is taken over for the backend it was asked of, at no other place", async () => {
    const { clock, asked, service } = serviceWith(() => answer);
    const told = (port: number, proxyProtocol: boolean): FetchedAnswer => {
      const shield = shieldOf();
      const [backend] = backendsOf(shield);
      if (backend === undefined) throw new Error("no backend");
      return {
        shieldId: shield.id,
        place: placeOf({ backend: { ...backend, port }, proxyProtocol }),
        host,
        protocol: 47,
        purge: shield.cache.purge,
        frame: answer.frame,
        fetchedAtMs: clock.nowMs,
      };
    };
    const shield = shieldOf();
    service.offer(shield, told(1, true));
    service.offer(shield, told(9, false));
    expect(service.cachedBytes).toBe(0);
    service.offer(shield, told(1, false));
    expect(service.answer(shield, 47, host)).toBe(answer.frame);
    expect(asked).toEqual([]);
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

  test("with caching off every ping asks, up to the cap; then the last answer, another protocol's too", async () => {
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
    expect(shield.counters.statusHits).toBe(0);
    for (let n = 0; n < 10; n++) {
      expect(service.answer(shield, 47, host)).toEqual(Buffer.from(String(uncachedPerSecondMax)));
    }
    expect(shield.counters.statusHits).toBe(10);
    // Another protocol has no answer yet and the backend must not be asked: it is not offline for
    // that.
    expect(service.answer(shield, 340, host)).toEqual(Buffer.from(String(uncachedPerSecondMax)));
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

  test("a ping counts as a hit if no backend was asked for it", async () => {
    const { clock, service } = serviceWith(() => answer);
    const shield = shieldOf();
    const hits = (): number => shield.counters.statusHits;
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

  test("the answer to the same ping again is that of the first backend, as long as it is fresh and up", async () => {
    let text = 0;
    const { clock, asked, service } = serviceWith(({ backend: { port } }) => ({
      kind: "answer",
      frame: Buffer.from(`${port}: ${++text}`),
    }));
    const shield = shieldOf();
    const ping = async (protocol = 47) => String(await service.answer(shield, protocol, host));
    for (let times = 0; times < 3; times++) expect(await ping()).toBe("1: 1");
    expect(await ping(772)).toBe("1: 2");
    expect(await ping()).toBe("1: 1");
    expect(asked).toEqual([1, 1]);

    clock.nowMs += shield.cache.freshMs + 1;
    expect(await ping()).toBe("1: 1");
    await settled();
    expect(await ping()).toBe("1: 3");
    expect(await ping()).toBe("1: 3");

    const [first] = backendsOf(shield);
    for (const monotonicMs of [0, 1_000])
      first?.health.failed("refused", { wallMs: 0, monotonicMs });
    expect(await ping()).toBe("2: 4");
    expect(await ping()).toBe("2: 4");
    for (const monotonicMs of [2_000, 3_000]) first?.health.succeeded({ wallMs: 0, monotonicMs });
    expect(await ping()).toBe("1: 3");

    if (first !== undefined) service.forget(first);
    expect(await ping()).toBe("1: 5");
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
