import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { describe, expect, test } from "vitest";
import { BackendHealth } from "#src/routing/backends.ts";
import { SharedLoads } from "#src/routing/shared-loads.ts";
import type { Backend } from "#src/shields/backend-groups.ts";
import { compileShield } from "#src/shields/compiled-shield.ts";
import { backendsOf } from "#src/shields/shield-registry.ts";
import { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import {
  detailEveryMs,
  HealthRegistry,
  repeatAfterMaxMs,
  repeatAfterMs,
} from "./health-registry.ts";

function createRegistry() {
  const clock = { ms: 0 };
  const monotonicMs = (): number => clock.ms;
  return { clock, registry: new HealthRegistry({ nowMs: monotonicMs, monotonicMs }) };
}

/** A backend before and after its owner has corrected its address. */
function corrected(): [Backend, Backend] {
  const config = (port: number) => sampleShield({ groups: [sampleGroup(sampleBackend(port, 1))] });
  const counters = new ShieldCounters(config(1).shield_id);
  const before = compileShield(config(1), counters, undefined);
  if (!before.ok) throw new Error(before.reason);
  const after = compileShield(config(2), counters, before.shield);
  if (!after.ok) throw new Error(after.reason);
  const [old] = backendsOf(before.shield.groups);
  const [now] = backendsOf(after.shield.groups);
  if (old === undefined || now === undefined) throw new Error("no backend");
  return [old, now];
}

describe("health registry", () => {
  test.each(["replaced", "removed"])(
    "outcomes of a %s backend that come late count no more",
    (how) => {
      const { clock, registry } = createRegistry();
      const [old, now] = corrected();
      registry.watch(old);
      registry.failed(old, "timeout");
      if (how === "replaced") registry.watch(now);
      registry.forget(old);
      if (how === "replaced") registry.succeeded(now, 1);
      registry.drain();
      clock.ms = 1_000;
      registry.failed(old, "timeout");
      registry.succeeded(old);
      for (let n = 0; n < 3; n++) old.load.joined();
      registry.playersChanged(old);
      const seen = [];
      for (; clock.ms < 2 * repeatAfterMaxMs; clock.ms += 10_000) seen.push(...registry.drain());
      const isReplaced = how === "replaced";
      expect([...registry.counts()]).toEqual(isReplaced ? [["up", 1]] : []);
      expect(seen.some(({ players, state }) => players === 3 && state === "up")).toBe(isReplaced);
      expect(seen.every(({ state }) => state === "up")).toBe(true);
    },
  );

  test("a report about a Bedrock port counts for the port that the backend has now", () => {
    const { clock, registry } = createRegistry();
    const told = {
      port: 19_132,
      state: "up",
      players: 0,
      latency_ms: 4,
      last_error: null,
      changed_at: null,
    } as const;
    const backend = { ...sampleBackend(1), bedrock_port: 19_132 };
    const config = sampleShield({
      groups: [sampleGroup(backend)],
      bedrock: { ports: [19_140], only_in: [] },
    });
    const compiled = compileShield(config, new ShieldCounters(config.shield_id), undefined);
    const [server] = compiled.ok ? backendsOf(compiled.shield.groups) : [];
    if (server === undefined) throw new Error("no backend");
    registry.watch(server);
    registry.toldBedrock(server, { ...told, port: 19_133 });
    expect(registry.drain()).toEqual([]);
    registry.toldBedrock(server, told);
    expect(registry.drain()).toMatchObject([{ state: "unknown", bedrock: told }]);
    // Players and latency are details, another state is not.
    registry.toldBedrock(server, { ...told, players: 1 });
    expect(registry.drain()).toEqual([]);
    registry.toldBedrock(server, { ...told, state: "down" });
    expect(registry.drain()).toMatchObject([{ bedrock: { state: "down" } }]);
    registry.toldBedrock(server, { ...told, state: "down", players: 2 });
    clock.ms += detailEveryMs;
    expect(registry.drain()).toMatchObject([{ bedrock: { players: 2 } }]);
  });

  test("a backend that is reported anyway is not repeated, and many are repeated more rarely", () => {
    const told = (count: number): number => {
      const { clock, registry } = createRegistry();
      const [first] = corrected();
      const loads = SharedLoads.alone();
      for (let n = 0; n < count; n++) {
        const load = loads.backend<Backend>(String(n));
        const backend: Backend = { ...first, health: new BackendHealth(), load };
        registry.watch(backend);
        registry.succeeded(backend);
      }
      registry.drain();
      let repeated = 0;
      for (; clock.ms < 2 * repeatAfterMaxMs; clock.ms += 1_000)
        repeated += registry.drain().length;
      return repeated / count;
    };
    expect(told(1)).toBe(Math.ceil((2 * repeatAfterMaxMs) / repeatAfterMs) - 1);
    // 100 in a second: all of them in three minutes.
    expect(told(18_000)).toBeLessThan(2.5);
  });
});
