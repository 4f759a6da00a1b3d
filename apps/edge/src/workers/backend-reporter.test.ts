import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import type { Backend } from "#src/shields/backend-groups.ts";
import { compileShield } from "#src/shields/compiled-shield.ts";
import { backendsOf } from "#src/shields/shield-registry.ts";
import { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import { shieldId, testBackend, testGroup, testShield } from "#src/testing/test-edge.ts";
import { createBackendReporter } from "./backend-reporter.ts";
import type { BackendEvent } from "./thread-messages.ts";

function createBackend(): Backend {
  const shield = testShield({ groups: [testGroup(testBackend(1))] });
  const result = compileShield(shield, new ShieldCounters(shieldId), undefined);
  if (!result.ok) throw new Error(result.reason);
  const [backend] = backendsOf(result.shield.groups);
  if (backend === undefined) throw new Error("no backend");
  return backend;
}

function start() {
  const backend = createBackend();
  const messages: string[][] = [];
  const { events, flush } = createBackendReporter((sent: readonly BackendEvent[]) => {
    messages.push(sent.map(([, , event]) => event));
  });
  return { backend, messages, events, flush };
}

/** Longer than an outcome that changes something waits. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("logins to a server that is up are reported once a second, each outcome once", async () => {
  const { backend, messages, events, flush } = start();
  backend.health.believe({ state: "up", isDown: false, unreachableAtMs: 0 });
  for (let login = 0; login < 50; login++) {
    events.playersChanged(backend);
    events.succeeded(backend);
  }
  await turn();
  await turn();
  expect(messages).toEqual([]);
  flush();
  flush();
  expect(messages).toEqual([["players", "succeeded"]]);
});

test("an outcome that changes where players are sent is reported at once, after those before it", async () => {
  const { backend, messages, events } = start();
  events.succeeded(backend);
  await until(() => messages.length === 1);
  backend.health.believe({ state: "up", isDown: false, unreachableAtMs: 0 });
  events.succeeded(backend);
  events.failed(backend, "refused");
  events.failed(backend, "refused");
  events.succeeded(backend);
  events.hungUp(backend);
  await until(() => messages.length === 2);
  expect(messages).toEqual([["succeeded"], ["succeeded", "refused", "succeeded", "hung-up"]]);
});
