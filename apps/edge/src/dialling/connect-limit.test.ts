import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { expect, test } from "vitest";
import { type Backend, compileShield } from "#src/shields/compiled-shield.ts";
import { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import { singleThreadQuota } from "#src/rules/shared/shared-tables.ts";
import { ConnectLimit, untriedPerSecondMax } from "./player-dial.ts";

/** The proven backend as a new configuration makes it. */
function provenBackend(): Backend {
  const config = sampleShield({ groups: [sampleGroup(sampleBackend(1, 1))] });
  const result = compileShield(config, new ShieldCounters(config.shield_id), undefined);
  const backend = result.ok ? result.shield.group.backends[0] : undefined;
  if (backend === undefined) throw new Error("no backend");
  return backend;
}

test("new settings do not start the connects to a proven address that was not tried anew", () => {
  let nowMs = 0;
  const perSecondMax = 2;
  const limit = new ConnectLimit(
    singleThreadQuota(() => nowMs),
    perSecondMax,
  );
  const taken = (backends: Backend[]) =>
    backends.filter((backend) => limit.allows("dial", backend, "minecraft")).length;
  const afterEachChange = Array.from({ length: 2 * untriedPerSecondMax }, provenBackend);
  expect(taken(afterEachChange)).toBe(untriedPerSecondMax + perSecondMax);
  nowMs = 10_000;
  const backend = provenBackend();
  const many = Array.from({ length: 2 * untriedPerSecondMax }, () => backend);
  backend.health.succeeded({ wallMs: nowMs, monotonicMs: nowMs });
  expect(taken(many)).toBe(many.length);
});
