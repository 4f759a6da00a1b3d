import { refusalReasons } from "@palisade/contract/edge/plain-values";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { AbuseCounters, sourceCount, SourceTable } from "#src/rules/source-counts.ts";
import { singleThreadQuota } from "@palisade/shared-tables/shared-tables";
import { DatagramCounts } from "./datagram-counts.ts";
import { CounterRegistry } from "./counter-registry.ts";
import { WorkerReport, MergedWorkers } from "./worker-counts.ts";
import { type AttackSamplePart, AttackSamples } from "./attack-samples.ts";
import { LoginLog, SampledLog } from "./login-log.ts";
import { OutcomeCounts } from "./outcomes.ts";

const start = Date.parse("2030-01-15T12:00:00.000Z");
const shieldId = "0190a000-0000-7000-8000-000000000001";
const ip = Uint8Array.of(203, 0, 113, 7);

/** Two threads that take players, and the one they tell, on one clock. */
function setUp() {
  let nowMs = start;
  const quota = singleThreadQuota(() => nowMs);
  const log = pino({ level: "silent" });
  const countersOf = () => ({
    counters: new CounterRegistry(start),
    outcomes: new OutcomeCounts(),
    logins: new LoginLog(() => nowMs, quota),
    log: new SampledLog(log, quota),
    datagrams: new DatagramCounts(),
  });
  const main = countersOf();
  const samplesSeen: AttackSamplePart[] = [];
  const merged = new MergedWorkers(main, {
    onAttackSamples: (samples) => void samplesSeen.push(...samples),
  });
  const threads = [0, 1].map((thread) => {
    const counters = countersOf();
    const attackSamples = new AttackSamples();
    const report = new WorkerReport({
      ...counters,
      attackSamples,
      statuses: { cachedBytes: 100 },
      bedrock: { sessions: 3 },
    });
    // As it goes from one thread to another.
    const tell = (): void => merged.add(thread, structuredClone(report.take()));
    return { ...counters, attackSamples, shield: counters.counters.ofShield(shieldId), tell };
  });
  const [first, second] = threads;
  if (first === undefined || second === undefined) throw new Error("no threads");
  return {
    main,
    merged,
    samplesSeen,
    first,
    second,
    /** A second passes in all threads. */
    pass(seconds = 1): void {
      for (let n = 0; n < seconds; n++) {
        nowMs += 1_000;
        for (const { tell } of threads) tell();
        main.counters.tick(nowMs);
      }
    },
    minutes: () => main.counters.drain(nowMs).minutes,
    live: () => main.counters.drain(nowMs).live,
  };
}

describe("counts of workers", () => {
  test("kicks of every reason are counted apart", () => {
    const { first, second, pass, minutes } = setUp();
    for (const [index, reason] of refusalReasons.entries()) {
      for (let count = 0; count <= index; count++) first.shield.refuse(reason);
      second.shield.refuse(reason);
    }
    pass();
    const [counted] = minutes();
    expect(counted?.refused).toEqual(
      Object.fromEntries(refusalReasons.map((reason, index) => [reason, index + 2])),
    );
  });

  test("is told once, of all of them together, in one minute of the shield", () => {
    const { first, second, pass, minutes } = setUp();
    for (const { shield } of [first, second]) {
      shield.pings++;
      shield.statusHits++;
      shield.logins += 2;
      shield.joins++;
      shield.players++;
      shield.refuse("blacklist");
      shield.wouldRefuse("vpn");
      shield.challenged++;
      shield.verified++;
      shield.bytesUp += 100;
      shield.attackBytes += 30;
    }
    pass(2);
    first.shield.bytesDown += 50;
    second.shield.players--;
    pass();
    expect(minutes()).toEqual([
      {
        shield_id: shieldId,
        minute: "2030-01-15T12:00:00.000Z",
        joins: 2,
        pings: 2,
        status_hits: 2,
        refused: { blacklist: 2 },
        shadowed: { vpn: 2 },
        challenged: 2,
        verified: 2,
        bytes_up: 200,
        bytes_down: 50,
        // Both for two seconds, then one.
        player_seconds: 5,
        players_max: 2,
        details: {
          attack_bytes: 60,
          connections_max: 4,
          checks: 0,
          checks_up: 0,
          latency_ms: 0,
          tops: [],
          sketch: [],
        },
      },
    ]);
    pass(5);
    expect(minutes()).toMatchObject([{ joins: 0, pings: 0, bytes_up: 0, player_seconds: 5 }]);
  });

  test("how long players took to pass is told once, of all threads together", () => {
    const { first, second, pass, minutes } = setUp();
    for (const { shield } of [first, second]) {
      shield.logins++;
      shield.passed(1_900, 758, "protocol");
      shield.failed(123_456, "gravity");
    }
    pass();
    const [counted] = minutes();
    expect(counted?.verified).toBe(2);
    expect(counted?.challenges).toEqual([
      ["protocol:758", [0, 0, 2, 0, 0, 0, 0, 0, 0]],
      ["gravity:", [0, 0, 0, 0, 0, 0, 0, 0, 2]],
    ]);
    pass();
    expect(minutes()[0]?.challenges).toBeUndefined();
  });

  test("players and rates are sums; those of a thread that dies vanish, what it has told stays", () => {
    const { main, merged, first, second, pass, live } = setUp();
    first.shield.players += 3;
    second.shield.players += 4;
    first.shield.logins += 10;
    second.shield.logins += 15;
    second.shield.joins += 4;
    pass();
    expect(live()).toMatchObject([{ players: 7, connections_per_second: 5 }]);
    merged.forget(1);
    expect(main.counters.players).toBe(3);
    expect(main.counters.totals.joins).toBe(4);
    // The next thread of the same number starts without players.
    merged.add(1, { ...empty, shields: [{ ...emptyPart, shieldId, players: 2 }] });
    expect(main.counters.players).toBe(5);
  });

  test("players of Bedrock are told apart, with the seconds they were there", () => {
    const { merged, first, second, pass, minutes } = setUp();
    first.shield.players += 2;
    first.shield.bedrockPlayers += 2;
    first.shield.joins += 2;
    first.shield.bedrockJoins += 2;
    second.shield.players += 3;
    second.shield.joins += 3;
    pass(10);
    expect(minutes()).toMatchObject([
      { joins: 5, player_seconds: 50, bedrock: { joins: 2, player_seconds: 20 } },
    ]);
    merged.forget(0);
    pass(10);
    // The thread is no longer there, and its players are not, either.
    const [later] = minutes();
    expect(later?.bedrock).toBeUndefined();
  });

  test("samples of attacks come from every thread once, with their sources", () => {
    const { first, second, pass, samplesSeen } = setUp();
    first.attackSamples.note(shieldId, ip, "Bot_0001", false);
    second.attackSamples.note(shieldId, ip, "Bot_0002", true, "bedrock");
    pass(2);
    expect(samplesSeen).toMatchObject([
      { shieldId, admitted: 0, logins: 1, bedrock: 0, sources: { names: [["Bot_####", 1]] } },
      { shieldId, admitted: 1, logins: 1, bedrock: 1, sources: { names: [["Bot_####", 1]] } },
    ]);
  });

  test("are reported to the end for a shield that the main thread has dropped", () => {
    const { main, first, pass, minutes } = setUp();
    main.counters.ofShield(shieldId);
    main.counters.retire(shieldId);
    pass(120);
    minutes();
    first.shield.players++;
    pass();
    first.shield.players--;
    first.shield.bytesUp += 7;
    pass();
    expect(minutes()).toMatchObject([{ shield_id: shieldId, bytes_up: 7, players_max: 1 }]);
    expect(main.counters.players).toBe(0);
  });

  test("a shield that rests is told nothing of, and what is counted late still is", () => {
    const { main, first, pass } = setUp();
    first.shield.logins++;
    pass(30);
    // A verification takes this long; its end does not wake the counters.
    first.shield.verified++;
    pass();
    expect(main.counters.totals.verified).toBe(1);
    pass(200);
    first.shield.pings++;
    pass();
    expect(main.counters.totals.pings).toBe(1);
  });

  test("outcomes, sources and left-out lines add up, each once", () => {
    const { main, merged, first, second, pass } = setUp();
    for (const { outcomes } of [first, second]) {
      outcomes.accepted += 3;
      outcomes.countHandshake("login");
      outcomes.count("malformed", "203.0.113.7");
      outcomes.count("forwarded", "203.0.113.8");
    }
    for (let n = 0; n < 30; n++) second.log.info(() => ({}), "connection");
    pass(3);
    expect(main.outcomes.accepted).toBe(6);
    expect([...main.outcomes.handshakes()]).toEqual([["login", 2]]);
    expect(main.outcomes.get("malformed")).toBe(2);
    const rows = main.outcomes.bySource.drain();
    const sources = new SourceTable(rows.size, 0);
    for (let index = 0; index < rows.size; index++) sources.addRow(rows, index);
    const abuser = sources.find(4, 0, 0xcb00_7107);
    expect(
      [sourceCount.connections, sourceCount.hostile].map((of) => sources.get(abuser, of)),
    ).toEqual([2, 2]);
    expect(main.log.leftOut).toBe(10);
    expect(merged.statusCacheBytes).toBe(100);
  });

  test("logins: as many of a shield as one thread would write down, and the others are counted", () => {
    const { main, first, second, pass } = setUp();
    const login = { shieldId, shadow: false, ip, protocol: 767, host: "a.b" };
    const usual = { trace: "0123456A", loggedAttempt: () => ({}) };
    for (let n = 0; n < 30; n++) {
      first.logins.note({ ...login, verdict: "vpn", player: "First" }, usual);
      second.logins.note({ ...login, verdict: "vpn", player: "Second" }, usual);
    }
    pass();
    expect(main.logins.size).toBe(20);
    expect(main.logins.leftOut).toBe(40);
    main.logins.take(20);
    first.logins.note({ ...login, verdict: "vpn", player: "First" }, usual);
    second.logins.note({ ...login, verdict: "vpn", player: "Second" }, usual);
    pass();
    const told = main.logins.take(10).map(({ facts }) => Number(facts["left_out"]));
    expect(told).toEqual([20, 20]);
  });
});

const emptyPart = {
  players: 0,
  logins: 0,
  joins: 0,
  bedrockPlayers: 0,
  bedrockJoins: 0,
  pings: 0,
  statusHits: 0,
  bytesUp: 0,
  bytesDown: 0,
  attackBytes: 0,
  challenged: 0,
  verified: 0,
  refused: [],
  shadowed: [],
  wouldChallenge: [],
};
const empty = {
  shields: [],
  outcomes: {
    accepted: 0,
    outcomes: [],
    handshakes: [],
    scores: [],
    sources: new AbuseCounters().drain(),
  },
  logins: { entries: [], leftOut: 0, dropped: 0, joins: new Uint8Array(0) },
  attacks: [],
  linesLeftOut: 0,
  datagrams: [],
  gauges: { statusCacheBytes: 0, bedrockSessions: 0 },
};

test("datagrams of Bedrock and sessions add up over the threads", () => {
  const { main, merged, first, second } = setUp();
  first.datagrams.add("pong", 3);
  second.datagrams.add("pong", 4);
  second.datagrams.add("relayed");
  first.tell();
  second.tell();
  first.tell();
  expect([...main.datagrams.entries()]).toEqual([
    ["pong", 7],
    ["relayed", 1],
  ]);
  expect(merged.bedrockSessions).toBe(6);
  merged.forget(0);
  expect(merged.bedrockSessions).toBe(3);
});
