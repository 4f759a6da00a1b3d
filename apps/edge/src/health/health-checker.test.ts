import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { describe, expect, test } from "vitest";
import { TimerWheel } from "@palisade/sockets/timer-wheel";
import { type CompiledShield, compileShield } from "#src/shields/compiled-shield.ts";
import { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import type { CheckResult, CheckTarget } from "./check-backend.ts";
import { HealthRegistry } from "./health-registry.ts";
import {
  busyEveryMs,
  busyForMs,
  firstLimits,
  HealthChecker,
  idleEveryMs,
  idleLimits,
  newWithinMs,
} from "./health-checker.ts";

const up: CheckResult = { kind: "up", latencyMs: 1 };

function shieldOf(n: number, servers: number): CompiledShield {
  const backends = Array.from({ length: servers }, (_, b) => sampleBackend(b + 1, 10 * n + b));
  const shield_id = `0190a000-0000-7000-9000-${String(n).padStart(12, "0")}`;
  const config = sampleShield({ shield_id, groups: [sampleGroup(...backends)] });
  const result = compileShield(config, new ShieldCounters(shield_id), undefined);
  if (!result.ok) throw new Error(result.reason);
  return result.shield;
}

function createChecker(check: (target: CheckTarget) => Promise<CheckResult> = async () => up) {
  const clock = { ms: 0 };
  const monotonicMs = (): number => clock.ms;
  const checked: CheckTarget[] = [];
  const wheel = new TimerWheel(monotonicMs);
  const registry = new HealthRegistry({ nowMs: monotonicMs, monotonicMs });
  let seed = 0;
  const checker = new HealthChecker({
    registry: registry,
    wheel,
    monotonicMs,
    random: () => (seed = (seed * 16_807 + 11) % 2_147_483_647) / 2_147_483_647,
    check: async (target) => {
      checked.push(target);
      return check(target);
    },
  });
  return {
    registry,
    checker,
    checked,
    add: (shield: CompiledShield) => checker.replace(shield.id, shield, shield.groups),
    /** Lets seconds pass; what was begun in each of them is done by the next. */
    async pass(ms: number): Promise<void> {
      for (const until = clock.ms + ms; clock.ms < until;) {
        clock.ms += 1_000;
        wheel.advance();
        checker.tick();
        await Promise.resolve().then(() => undefined);
        await Promise.resolve();
      }
    },
  };
}

describe("health checks by the clock", () => {
  test("new backends are checked at once, those with players often, quiet ones rarely, however many are in a group", async () => {
    const { add, checked, checker, pass } = createChecker();
    checker.start();
    const [single, double, busy] = [shieldOf(1, 1), shieldOf(2, 2), shieldOf(3, 1)];
    for (const shield of [single, double, busy]) add(shield);
    busy.counters.pings++;
    await pass(newWithinMs + 1_000);
    expect(checked).toHaveLength(4);
    await pass(idleEveryMs - 60_000);
    const of = (shield: CompiledShield) =>
      checked.filter(({ backend }) => backend.shieldId === shield.id).length;
    expect(of(single)).toBe(1);
    expect(of(double)).toBe(2);
    expect(of(busy)).toBeGreaterThan((0.75 * (idleEveryMs - 60_000)) / busyEveryMs);
    await pass(120_000);
    expect([of(single), of(double)]).toEqual([2, 4]);
  });

  test("a single backend whose shield has joins or pings is checked often, until they stop", async () => {
    const { add, checked, checker, pass } = createChecker();
    checker.start();
    const shield = shieldOf(1, 1);
    add(shield);
    await pass(5_000);
    shield.counters.pings++;
    await pass(idleEveryMs * 1.1);
    const before = checked.length;
    await pass(60_000);
    expect(checked.length - before).toBeGreaterThanOrEqual(4);
    await pass(busyForMs + idleEveryMs);
    const quiet = checked.length;
    await pass(idleEveryMs);
    expect(checked.length - quiet).toBeLessThanOrEqual(2);
  });

  test("a change of the shield keeps the rhythm; what is removed is never looked at again", async () => {
    const { add, checked, checker, pass } = createChecker();
    checker.start();
    const shield = shieldOf(1, 1);
    add(shield);
    await pass(5_000);
    for (let n = 0; n < 20; n++) {
      add(shield);
      await pass(2_000);
    }
    expect(checked).toHaveLength(1);
    checker.remove(shield.id);
    await pass(2 * idleEveryMs);
    expect(checked).toHaveLength(1);
  });

  test("any number of shields costs no more than the cap, and each of them has its turn", async () => {
    const { add, checked, checker, pass } = createChecker();
    const shields = 5_000;
    for (let n = 0; n < shields; n++) add(shieldOf(n, 1));
    checker.start();
    const busy = shieldOf(shields, 2);
    add(busy);
    busy.counters.pings++;
    let most = 0;
    const seconds = (1.1 * shields) / idleLimits.perSecondMax;
    for (let second = 0; second < seconds; second++) {
      const before = checked.length;
      busy.counters.pings++;
      await pass(1_000);
      most = Math.max(most, checked.length - before);
    }
    expect(most).toBeLessThanOrEqual(idleLimits.perSecondMax + 2);
    const seen = new Set(checked.map(({ backend }) => backend));
    expect(seen.size).toBeGreaterThan(0.9 * shields);
    const often = checked.filter(({ backend }) => backend.shieldId === busy.id).length;
    expect(often).toBeGreaterThan((1.5 * seconds * 1_000) / busyEveryMs);
  });

  test("silent servers hold up neither each other nor the rest for ever", async () => {
    const never = Promise.withResolvers<CheckResult>();
    const { add, checked, checker, pass } = createChecker(() => never.promise);
    checker.start();
    for (let n = 0; n < 1_000; n++) add(shieldOf(n, 1));
    await pass(30_000);
    expect(checked).toHaveLength(firstLimits.atOnceMax);
  });

  test("a thousand new backends delay none that has players", async () => {
    const { add, checked, checker, pass } = createChecker();
    checker.start();
    const live = shieldOf(0, 2);
    add(live);
    live.counters.pings++;
    await pass(30_000);
    for (let n = 1; n <= 20_000; n++) add(shieldOf(n, 1));
    const before = checked.length;
    live.counters.pings++;
    await pass(30_000);
    const since = checked.slice(before).filter(({ backend }) => backend.shieldId === live.id);
    expect(since.length).toBeGreaterThanOrEqual(4);
    expect(checked.length - before).toBeLessThanOrEqual(31 * firstLimits.perSecondMax);
  });

  test("a player's failure brings the next check forward, once", async () => {
    const { add, registry, checked, checker, pass } = createChecker(async () => ({
      kind: "failed",
      error: "timeout",
      expectsProxy: false,
    }));
    const quiet = shieldOf(1, 1);
    const [backend] = quiet.group.backends;
    if (backend === undefined) throw new Error("no backend");
    add(quiet);
    checker.start();
    registry.succeeded(backend);
    checker.hurry(backend);
    registry.failed(backend, "timeout");
    for (let n = 0; n < 50; n++) checker.hurry(backend);
    await pass(1_000);
    expect(checked).toHaveLength(1);
    expect(backend.health.isDown).toBe(true);
    checker.hurry(backend);
    await pass(2_000);
    expect(checked).toHaveLength(1);
  });
});
