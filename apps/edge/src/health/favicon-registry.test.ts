import { faviconsPerReportMax } from "@palisade/contract/edge/telemetry";
import { sampleFavicon } from "@palisade/testing/sample-favicon";
import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { describe, expect, test } from "vitest";
import type { Backend } from "#src/shields/backend-groups.ts";
import { compileShield } from "#src/shields/compiled-shield.ts";
import { backendsOf } from "#src/shields/shield-registry.ts";
import { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import { changeEveryMs, FaviconRegistry, repeatAfterMs, waitingMax } from "./favicon-registry.ts";

const [one, two] = [sampleFavicon({ seed: 1 }), sampleFavicon({ seed: 2 })];

function createBackends(count: number): Backend[] {
  const config = sampleShield({
    groups: [sampleGroup(...Array.from({ length: count }, (_, n) => sampleBackend(n + 1, n + 1)))],
  });
  const result = compileShield(config, new ShieldCounters(config.shield_id), undefined);
  if (!result.ok) throw new Error(result.reason);
  return [...backendsOf(result.shield.groups)];
}

function setUp() {
  const clock = { ms: 0 };
  const registry = new FaviconRegistry(() => clock.ms);
  const [backend] = createBackends(1);
  if (backend === undefined) throw new Error("no backend");
  /** The icons of the next report, which arrives. */
  const report = () => {
    const reports = registry.reports();
    registry.markDelivered(reports);
    return reports.map(({ favicon }) => favicon);
  };
  return { clock, registry, backend, report };
}

describe("favicon registry", () => {
  test("an icon is reported once, however often it is seen, and again once it has changed or gone", () => {
    const { clock, registry, backend, report } = setUp();
    const seen = (favicon: string | null) => {
      clock.ms += changeEveryMs;
      for (let n = 0; n < 3; n++) registry.seen(backend, favicon);
      return report();
    };
    expect([seen(one), seen(one), seen(two), seen(null), seen(null), seen(one)]).toEqual([
      [one],
      [],
      [two],
      [null],
      [],
      [one],
    ]);
  });

  test("a backend without an icon is reported as such once: the api may know one of before", () => {
    const { registry, backend, report } = setUp();
    registry.seen(backend, null);
    expect(registry.reports()).toEqual([
      { shield_id: backend.shieldId, backend_id: backend.id, favicon: null },
    ]);
    report();
    registry.seen(backend, null);
    expect(registry.size).toBe(0);
  });

  test("a backend with another icon at every ping is reported no more often than others may change", () => {
    const { clock, registry, backend, report } = setUp();
    let reports = 0;
    const end = 10 * changeEveryMs;
    for (; clock.ms < end; clock.ms += 10_000) {
      registry.seen(backend, sampleFavicon({ seed: clock.ms % 251 }));
      reports += report().length;
    }
    expect(reports).toBe(10);
  });

  test("an unchanged icon is reported again after hours, in case the api has lost it", () => {
    const { clock, registry, backend, report } = setUp();
    registry.seen(backend, one);
    report();
    clock.ms = repeatAfterMs - 1;
    registry.seen(backend, one);
    expect(registry.size).toBe(0);
    clock.ms = repeatAfterMs;
    registry.seen(backend, one);
    expect(report()).toEqual([one]);
  });

  test("an icon waits until it has arrived; one seen on the way there is reported after it", () => {
    const { registry, backend, report } = setUp();
    registry.seen(backend, one);
    const underway = registry.reports();
    registry.seen(backend, one);
    expect(registry.reports()).toEqual(underway);
    registry.seen(backend, two);
    registry.markDelivered(underway);
    expect(report()).toEqual([two]);
    expect(registry.size).toBe(0);
  });

  test("the queue and each report are bounded; an icon without room comes with a later check", () => {
    const { registry } = setUp();
    const backends = createBackends(waitingMax + 1);
    for (const backend of backends) registry.seen(backend, one);
    expect(registry.size).toBe(waitingMax);
    const first = registry.reports();
    expect(first).toHaveLength(faviconsPerReportMax);
    registry.markDelivered(first);
    for (const backend of backends) registry.seen(backend, one);
    expect(registry.size).toBe(waitingMax - faviconsPerReportMax + 1);
  });

  test("nothing is reported of a backend that is gone", () => {
    const { registry, backend } = setUp();
    registry.seen(backend, one);
    registry.forget(backend);
    expect(registry.reports()).toEqual([]);
  });
});
