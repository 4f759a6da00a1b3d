import { randomUUID } from "node:crypto";
import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import type {
  AttackReport,
  BackendFavicon,
  BackendHealth,
  LiveGauge,
  LoginEntry,
} from "@palisade/contract/edge/telemetry";
import { createFakeClock } from "@palisade/testing/fake-clock";
import { onTestFinished } from "vitest";
import { createControlClient } from "../config-client.ts";
import { createTelemetrySender, type TelemetrySender } from "../telemetry-sender.ts";
import { shieldId } from "./config-harness.ts";
import { startControlPlaneServer, type ControlPlaneServer } from "./control-plane-server.ts";
import { startOfTest } from "./minutes.ts";
import { createLogRecorder, type LogRecorder } from "./recorder.ts";

export function healthOf(n: number, state: BackendHealth["state"]): BackendHealth {
  return {
    shield_id: shieldId(1),
    backend_id: shieldId(100 + n),
    state,
    players: 0,
    latency_ms: null,
    last_error: null,
    expects_proxy: false,
    answered_at: null,
    changed_at: null,
  };
}

export function attackOf(n: number, ended_at: string | null = null): AttackReport {
  return {
    id: shieldId(200 + n),
    shield_id: shieldId(n),
    started_at: new Date(startOfTest).toISOString(),
    ended_at,
    peak_per_second: 90,
    sources: 12,
    refused: { vpn: 3 },
    relaxed_to: null,
  };
}

export function loginOf(n: number): LoginEntry {
  return {
    at: new Date(startOfTest).toISOString(),
    shield_id: shieldId(1),
    trace: "0123456A",
    verdict: "joined",
    shadow: false,
    ip: "203.0.113.7",
    player: `Player${n}`,
    protocol: 767,
    host: "play.example.com",
    facts: {},
  };
}

export interface TelemetrySetup {
  readonly api: ControlPlaneServer;
  readonly sender: TelemetrySender;
  readonly log: LogRecorder;
  readonly clock: ReturnType<typeof createFakeClock>;
  /** Counters the next drain returns. */
  readonly waiting: MinuteCounters[];
  gauges: LiveGauge[];
  /** Backend health of the next drain. */
  readonly backends: BackendHealth[];
  /** Icons that have not arrived yet. */
  readonly favicons: Set<BackendFavicon>;
  /** Attacks to report; those whose end was reported are removed. */
  readonly attacks: Map<string, AttackReport>;
  readonly logins: LoginEntry[];
}

/** A sender and the api it reports to; both end with the test. */
export async function setUpTelemetry(
  options: { readonly reportIntervalMaxMs?: number } = {},
): Promise<TelemetrySetup> {
  const api = await startControlPlaneServer();
  const clock = createFakeClock(new Date(startOfTest));
  const setup: Omit<TelemetrySetup, "sender"> = {
    api,
    clock,
    log: createLogRecorder(),
    waiting: [],
    gauges: [],
    backends: [],
    favicons: new Set(),
    attacks: new Map(),
    logins: [],
  };
  const edge_id = api.nodeId;
  const sender = createTelemetrySender({
    call: createControlClient(api.url, {
      edge_id,
      kind: "edge",
      location: "local",
      credential: api.credential,
    }),
    bootId: randomUUID(),
    source: { drain: () => ({ minutes: setup.waiting.splice(0), live: setup.gauges }) },
    health: { drain: () => setup.backends.splice(0) },
    favicons: {
      get size() {
        return setup.favicons.size;
      },
      reports: () => [...setup.favicons],
      markDelivered(reports) {
        for (const report of reports) setup.favicons.delete(report);
      },
    },
    attacks: {
      get size() {
        return setup.attacks.size;
      },
      reports: () => [...setup.attacks.values()],
      markDelivered(reports) {
        for (const { id, ended_at } of reports) if (ended_at !== null) setup.attacks.delete(id);
      },
      close() {
        for (const [id, attack] of setup.attacks) {
          setup.attacks.set(id, { ...attack, ended_at: new Date(clock.nowMs()).toISOString() });
        }
      },
    },
    logins: {
      get size() {
        return setup.logins.length;
      },
      take: (max) => setup.logins.splice(0, max),
    },
    log: setup.log,
    now: () => clock.nowMs(),
    intervalMs: 5,
    retry: { baseMs: 1, capMs: 1 },
    ...options,
  });
  sender.start();
  onTestFinished(async () => {
    await sender.stop(1_000);
    await api.close();
  });
  // The same object, so that a test's change of `gauges` is seen by the source.
  return Object.assign(setup, { sender });
}
