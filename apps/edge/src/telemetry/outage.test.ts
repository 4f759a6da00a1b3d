import { randomUUID } from "node:crypto";
import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import { createControlClient } from "@palisade/control-client/config-client";
import { createTelemetrySender } from "@palisade/control-client/telemetry-sender";
import {
  startControlPlaneServer,
  type ControlPlaneServer,
} from "@palisade/control-client/testing/control-plane-server";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import type { AttackUpdate } from "#src/rules/attack-state.ts";
import { sourceRegisters } from "#src/rules/hyperloglog.ts";
import { AttackRegistry } from "./attack-registry.ts";
import { LoginLog } from "./login-log.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const start = Date.parse("2030-01-15T12:00:00.000Z");
const log = pino({ level: "silent" });

function shieldOf(n: number): string {
  return `0190a000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
}

function minuteOf(shield: number, minute: number): MinuteCounters {
  return {
    shield_id: shieldOf(shield),
    minute: new Date(start + minute * 60_000).toISOString(),
    joins: 1,
    pings: 1,
    refused: { vpn: 1 },
    bytes_up: 1,
    bytes_down: 1,
    player_seconds: 1,
    players_max: 1,
    status_hits: 1,
    shadowed: {},
    challenged: 0,
    verified: 0,
  };
}

/** An edge's telemetry without the edge; its clock moves with each second noted. */
async function setUp(): Promise<{
  readonly api: ControlPlaneServer;
  readonly logins: LoginLog;
  readonly attacks: AttackRegistry;
  readonly sender: ReturnType<typeof createTelemetrySender>;
  /** A second with as many refused logins as are all written down, and an attack that ends in it. */
  attacked(second: number): void;
}> {
  const api = await startControlPlaneServer();
  let nowMs = start;
  const minutes: MinuteCounters[] = [];
  const update: AttackUpdate[] = [];
  const logins = new LoginLog(() => nowMs);
  const attacks = new AttackRegistry({
    detector: { loginsWithoutSlot: 0, drain: () => update.splice(0) },
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    newId: randomUUID,
    rulesOf: () => undefined,
    log,
  });
  const sender = createTelemetrySender({
    call: createControlClient(api.url, {
      edge_id: api.nodeId,
      kind: "edge",
      location: "local",
      credential: api.credential,
    }),
    bootId: randomUUID(),
    source: { drain: () => ({ minutes: minutes.splice(0), live: [] }) },
    attacks,
    logins,
    log,
    now: () => nowMs,
    intervalMs: 2,
    retry: { baseMs: 1, capMs: 1 },
    bufferMax: 50,
  });
  sender.start();
  ends.push(async () => {
    await sender.stop(1_000);
    await api.close();
  });
  const kinds = {
    relaxedTo: null,
    refused: {},
    registers: sourceRegisters(),
    isOver: true,
    began: 0,
    logins: [],
    datagrams: [],
    datagramsPeak: 0,
  };
  return {
    api,
    logins,
    attacks,
    sender,
    attacked(second) {
      nowMs = start + second * 1_000;
      const login = { verdict: "vpn", shadow: false, player: "Bot" } as const;
      const from = { ip: Uint8Array.of(203, 0, 113, 7), host: "", shieldId: shieldOf(1) };
      const source = { trace: "0123456A", loggedAttempt: () => ({}) };
      for (let n = 0; n < 20; n++) {
        logins.note({ ...login, ...from, protocol: second * 20 + n }, source);
      }
      update.push(
        ...[1, 2, 3, 4, 5].map((n) => ({ ...kinds, second, shieldId: shieldOf(n), peak: second })),
      );
      attacks.tick();
      minutes.push(minuteOf(second % 5, Math.floor(second / 60)));
    },
  };
}

test("a control plane that is away for long costs bounded memory; dropped entries are counted, the rest arrives in order and once", async () => {
  const { api, logins, attacks, sender, attacked } = await setUp();
  const seconds = 1_200;
  api.fail("telemetry", 503);
  attacked(0);
  // The first report waits for its answer with what it bears.
  await until(() => api.failures() > 0 && logins.size === 0);
  for (let second = 1; second < seconds; second++) attacked(second);
  expect(logins).toMatchObject({ size: 20_000, dropped: seconds * 20 - 20_020 });
  expect(attacks).toMatchObject({ size: 5_000, dropped: seconds * 5 - 5_000 });
  const failed = api.failures();
  await until(() => api.failures() > failed + 1);
  expect(sender.stats().buffered).toBeLessThanOrEqual(50);

  api.fail("telemetry", null);
  await until(() => logins.size === 0 && attacks.size === 0);
  await sender.stop(10_000);
  expect(api.reports.map(({ seq }) => seq)).toEqual(api.reports.map((_, index) => index + 1));
  const protocols = api.reports.flatMap((report) => report.logins.map(({ protocol }) => protocol));
  const dropped = seconds * 20 - 20_020;
  expect(protocols).toEqual([
    ...Array.from({ length: 20 }, (_, n) => n),
    ...Array.from({ length: 20_000 }, (_, n) => 20 + dropped + n),
  ]);
  const told = api.reports.flatMap((report) => report.attacks.map(({ id }) => id));
  expect(new Set(told).size).toBe(told.length);
  expect(told.length).toBeGreaterThanOrEqual(5_000);
  const counted = api.reports.flatMap((report) => report.minutes);
  expect(counted.reduce((sum, { refused }) => sum + (refused.vpn ?? 0), 0)).toBe(seconds);
  expect(sender.stats()).toMatchObject({ buffered: 0, dropped: 0 });
});
