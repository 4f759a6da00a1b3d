import { configSchemaVersion, type ShieldConfig } from "@palisade/contract/edge/shield-config";
import type { StreamRecord } from "@palisade/contract/edge/stream";
import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import type {
  AttackReport,
  BackendHealth,
  LiveGauge,
  LoginEntry,
} from "@palisade/contract/edge/telemetry";
import {
  startControlPlaneServer,
  type ControlPlaneServer,
} from "@palisade/control-client/testing/control-plane-server";
import { createTestFolder } from "@palisade/control-client/testing/recorder";
import { sampleShield } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { createControl } from "#src/control/control.ts";
import type { ApplyResult, Control } from "#src/ports.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const shieldId = "0198f000-0000-7000-8000-000000000001";

function configOf(revision: number, blacklist: string[] = []): ShieldConfig {
  const { lists } = sampleShield();
  return sampleShield({ shield_id: shieldId, revision, lists: { ...lists, blacklist } });
}

function recordOf(config: ShieldConfig): StreamRecord {
  return { shield_id: config.shield_id, revision: config.revision, config };
}

interface Edge {
  readonly control: Control;
  readonly applied: ShieldConfig[];
  readonly removed: string[];
  readonly fleets: (readonly string[])[];
  /** Locations and configurations, in the order they came. */
  readonly told: string[];
  readonly backends: BackendHealth[];
  /** Running ones are there until they end; what was told of its end is gone. */
  attacks: AttackReport[];
  readonly logins: LoginEntry[];
  answer: ApplyResult;
  minutes: MinuteCounters[];
  live: LiveGauge[];
}

async function createEdge(
  api: ControlPlaneServer,
  home: string,
  token?: string,
  isSuccessor = false,
): Promise<Edge> {
  const edge: Omit<Edge, "control"> = {
    applied: [],
    removed: [],
    fleets: [],
    told: [],
    backends: [],
    attacks: [],
    logins: [],
    answer: { ok: true },
    minutes: [],
    live: [],
  };
  const control = createControl({
    home,
    apiUrl: api.url,
    edgeToken: token,
    addresses: ["127.0.0.1"],
    failpoints: [],
    sink: {
      apply(config) {
        edge.told.push("configuration");
        if (edge.answer.ok) edge.applied.push(config);
        return edge.answer;
      },
      remove: (id) => edge.removed.push(id),
    },
    counters: {
      drain: () => ({ minutes: edge.minutes.splice(0), live: edge.live }),
      restore: (minutes) => edge.minutes.push(...minutes),
    },
    probes: {
      take: ({ id }, report) =>
        report({
          id,
          attempts: [{ proxy: false, outcome: "refused", latency_ms: null, status: null }],
          expects_proxy: false,
          proven: null,
          bedrock: null,
        }),
    },
    location: { setLocation: (location) => edge.told.push(`location ${location}`) },
    health: {
      drain: () => edge.backends.splice(0),
      favicons: { size: 0, reports: () => [], markDelivered: () => undefined },
    },
    attacks: {
      get size() {
        return edge.attacks.length;
      },
      reports: () => [...edge.attacks],
      markDelivered: (reports) => {
        const over = new Set(reports.filter((told) => told.ended_at !== null).map(({ id }) => id));
        edge.attacks = edge.attacks.filter(({ id }) => !over.has(id));
      },
      close: () => undefined,
    },
    logins: {
      get size() {
        return edge.logins.length;
      },
      take: (max) => edge.logins.splice(0, max),
    },
    fleet: { replace: (addresses) => edge.fleets.push(addresses) },
    isSuccessor,
    log: pino({ level: "silent" }),
  });
  ends.push(() => control.stop());
  return Object.assign(edge, { control });
}

async function setUp(): Promise<{ api: ControlPlaneServer; home: string }> {
  const api = await startControlPlaneServer();
  ends.push(() => api.close());
  const folder = await createTestFolder();
  ends.push(async () => folder[Symbol.asyncDispose]());
  return { api, home: folder.path };
}

describe("control side of the edge", () => {
  test("enrols, applies a snapshot and a change, and reports what the edge refuses", async () => {
    const { api, home } = await setUp();
    api.change([recordOf(configOf(1))]);
    const edge = await createEdge(api, home, api.token);
    expect(await edge.control.loadLastGood()).toEqual({ found: false, shields: 0 });
    edge.control.start();
    await edge.control.firstSnapshot;
    expect(edge.applied).toEqual([configOf(1)]);

    edge.answer = { ok: false, reason: "no such backend" };
    api.change([recordOf(configOf(2, ["203.0.113.9"]))]);
    const refusal = await until(() => api.acks.find((ack) => ack.revision === 2));
    expect(refusal).toMatchObject({ outcome: "rejected", reason: "no such backend" });
    edge.answer = { ok: true };
    api.change([recordOf(configOf(3, ["203.0.113.9"]))]);
    await until(() => api.acks.some((ack) => ack.revision === 3 && ack.outcome === "applied"));
    api.change([], [shieldId]);
    await until(() => edge.removed.length === 1);
    expect(edge.applied.map((config) => config.revision)).toEqual([1, 3]);
  });

  test("passes on the addresses that no edge may dial, wherever they stand in the stream", async () => {
    const { api, home } = await setUp();
    const edge = await createEdge(api, home, api.token);
    edge.control.start();
    await edge.control.firstSnapshot;
    api.send({ kind: "fleet", addresses: ["93.184.216.34"] });
    api.change([recordOf(configOf(1))]);
    await until(() => edge.applied.length === 1);
    expect(edge.fleets).toEqual([["93.184.216.34"]]);
  });

  test("keeps an unknown value or key away from the packet path", async () => {
    const { api, home } = await setUp();
    const poison = [
      { ...configOf(1), status: "paused" },
      { ...configOf(1), surprise: 1 },
      { ...configOf(1), schema: configSchemaVersion + 1 },
    ];
    const edge = await createEdge(api, home, api.token);
    await edge.control.loadLastGood();
    edge.control.start();
    await edge.control.firstSnapshot;
    for (const config of poison) {
      api.acks.length = 0;
      api.change([{ shield_id: shieldId, revision: 1, config }]);
      const ack = await until(() => api.acks[0]);
      expect(ack.outcome).toBe("rejected");
    }
    expect(edge.applied).toEqual([]);
  });

  test("takes older content under a newer version and revision: a rollback", async () => {
    const { api, home } = await setUp();
    const before = configOf(1, ["203.0.113.9"]);
    api.change([recordOf(before)]);
    const edge = await createEdge(api, home, api.token);
    await edge.control.loadLastGood();
    edge.control.start();
    await edge.control.firstSnapshot;
    const later = [configOf(2), { ...before, revision: 3 }];
    for (const config of later) {
      api.change([recordOf(config)]);
      const ack = await until(() => api.acks.find(({ revision }) => revision === config.revision));
      expect(ack.outcome).toBe("applied");
    }
    expect(edge.applied).toEqual([before, ...later]);
    await edge.control.stop();

    const again = await createEdge(api, home);
    await again.control.loadLastGood();
    expect(again.applied).toEqual([{ ...before, revision: 3 }]);
  });

  test("has the last good configuration back before it asks anybody", async () => {
    const { api, home } = await setUp();
    api.change([recordOf(configOf(4, ["203.0.113.9"]))]);
    const first = await createEdge(api, home, api.token);
    await first.control.loadLastGood();
    first.control.start();
    await first.control.firstSnapshot;
    await until(() => api.acks.length > 0);
    await first.control.stop();
    api.fail("config", 503);

    const second = await createEdge(api, home);
    expect(await second.control.loadLastGood()).toEqual({ found: true, shields: 1 });
    expect(second.applied).toEqual([configOf(4, ["203.0.113.9"])]);
  });

  test("its location is known before any configuration, from disk too while the control plane is away", async () => {
    const { api, home } = await setUp();
    api.change([recordOf(configOf(1))]);
    const first = await createEdge(api, home, api.token);
    await first.control.loadLastGood();
    first.control.start();
    await first.control.firstSnapshot;
    await first.control.stop();
    const [location] = first.told;
    expect(first.told).toEqual([expect.stringMatching(/^location \w/), "configuration"]);
    await api.close();

    const second = await createEdge(api, home);
    await second.control.loadLastGood();
    expect(second.told).toEqual([location, "configuration"]);
  });

  test("tells at once what it learns about backends", async () => {
    const { api, home } = await setUp();
    const edge = await createEdge(api, home, api.token);
    const told: BackendHealth = {
      shield_id: shieldId,
      backend_id: shieldId,
      state: "down",
      players: 0,
      latency_ms: null,
      last_error: "refused",
      expects_proxy: false,
      answered_at: null,
      changed_at: "2030-01-15T12:00:00.000Z",
      bedrock: null,
    };
    edge.backends.push(told);
    edge.control.start();
    await until(() => api.reports.some(({ backends }) => backends.length > 0));
    expect(api.reports.flatMap(({ backends }) => backends)).toEqual([told]);
  });

  test("beside a predecessor that still reports it says nothing before it takes over, and then all", async () => {
    const { api, home } = await setUp();
    const former = await createEdge(api, home, api.token);
    former.live = [
      { shield_id: shieldId, players: 1, connections_per_second: 0.5, bandwidth_bps: 800 },
    ];
    former.control.start();
    await former.control.firstSnapshot;
    const next = await createEdge(api, home, undefined, true);
    next.live = [{ shield_id: shieldId, players: 2, connections_per_second: 0, bandwidth_bps: 0 }];
    next.control.start();
    await next.control.firstSnapshot;
    const before = api.reports.length;
    await until(() => api.reports.length >= before + 2);
    const players = () => api.reports.flatMap(({ live }) => live.map((gauge) => gauge.players));
    expect(new Set(players())).toEqual(new Set([1]));
    await former.control.stop();
    next.control.takeOver();
    await until(() => players().at(-1) === 2);
    expect(new Set(api.reports.map(({ boot_id }) => boot_id)).size).toBe(2);
  });

  test("sends gauges, and the counters that are left when it stops", async () => {
    const { api, home } = await setUp();
    const edge = await createEdge(api, home, api.token);
    edge.live = [
      { shield_id: shieldId, players: 1, connections_per_second: 0.5, bandwidth_bps: 800 },
    ];
    edge.control.start();
    await until(() => api.reports.some((report) => report.live[0]?.players === 1));
    const minute = {
      shield_id: shieldId,
      minute: new Date().toISOString(),
      joins: 1,
      pings: 0,
      refused: { blacklist: 2 },
      bytes_up: 1,
      bytes_down: 2,
      player_seconds: 3,
      players_max: 1,
      status_hits: 0,
      shadowed: {},
      challenged: 0,
      verified: 0,
    };
    edge.minutes.push(minute);
    await edge.control.stop();
    expect(api.reports.flatMap((report) => report.minutes)).toEqual([minute]);
  });

  test("logins and an attack's end outlast an api that is away, and none comes twice", async () => {
    const { api, home } = await setUp();
    const edge = await createEdge(api, home, api.token);
    const entry = (player: string): LoginEntry => ({
      at: "2030-01-15T12:00:00.000Z",
      shield_id: shieldId,
      trace: "0123456A",
      verdict: "bot_check",
      shadow: false,
      ip: "203.0.113.7",
      player,
      protocol: 767,
      host: "play.example.com",
      facts: { fault: "echo" },
    });
    const attack: AttackReport = {
      id: shieldId,
      shield_id: shieldId,
      started_at: "2030-01-15T12:00:00.000Z",
      ended_at: "2030-01-15T12:01:00.000Z",
      peak_per_second: 900,
      sources: 300,
      refused: { bot_check: 8_000 },
      relaxed_to: "low",
    };
    api.fail("telemetry", 503);
    edge.logins.push(entry("Steve"));
    edge.control.start();
    await until(() => api.failures() > 0);
    edge.logins.push(entry("Alex"));
    edge.attacks.push(attack);
    api.fail("telemetry", null);
    // Sends what is left, without waiting for its next attempt.
    await edge.control.stop();
    expect(api.reports.flatMap(({ logins }) => logins)).toEqual([entry("Steve"), entry("Alex")]);
    expect(api.reports.flatMap(({ attacks }) => attacks)).toEqual([attack]);
  });

  test("answers a probe of the stream, and a failing answer stops nothing", async () => {
    const { api, home } = await setUp();
    const edge = await createEdge(api, home, api.token);
    edge.control.start();
    await edge.control.firstSnapshot;
    const probe = {
      id: "0198f000-0000-7000-8000-0000000000c1",
      host: "127.0.0.1",
      port: 25_565,
      hostname: "play.example.com",
      protocol: 767,
      proxy: "without",
      deadline_ms: 1_000,
    } as const;
    api.fail("probes", 500);
    api.send({ kind: "probe", probe });
    await until(() => api.failures() === 1);
    api.fail("probes", null);
    api.send({ kind: "probe", probe });
    const answer = await until(() => api.probes[0]);
    expect(answer).toMatchObject({ id: probe.id, attempts: [{ outcome: "refused" }] });
    api.change([recordOf(configOf(1))]);
    await until(() => edge.applied.length === 1);
    expect(api.opened).toEqual([0]);
  });

  test("without a credential and a token says how to get one and keeps running", async () => {
    const { api, home } = await setUp();
    const edge = await createEdge(api, home);
    edge.control.start();
    await expect(edge.control.firstSnapshot).rejects.toThrow(/edge invite/);
  });
});
