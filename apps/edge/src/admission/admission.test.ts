import { once } from "node:events";
import type { Socket } from "node:net";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { sampleDomain } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  startTestEdge,
  testBackend,
  type TestEdge,
  testGroup,
  testShield,
  type TestPlayer,
} from "#src/testing/test-edge.ts";
import { FdBudget, EdgeGauges, CountMinSketch } from "@palisade/shared-tables/shared-counters";
import { Admission, type Sheddable, sourceKey } from "./admission.ts";
import { edgeLimits } from "./limits.ts";
import { noSeat } from "./seats.ts";

function loginTo(host: string): Buffer {
  return Buffer.concat([
    encodeHandshake({ protocol: 758, host, port: 1, intent: "login" }),
    encodeLoginStart("Steve"),
  ]);
}

const login = loginTo("play.example.org");

const neighbour = "neighbour.example.org";

/** Another shield, with its own name and the same backend. */
function addNeighbour(edge: TestEdge, port: number): void {
  const result = edge.sink.apply({
    ...testShield({ groups: [testGroup(testBackend(port))], domains: [sampleDomain(neighbour)] }),
    shield_id: testShield().shield_id.replace(/1$/, "2"),
    label: "neighbour.gs.localhost",
  });
  if (!result.ok) throw new Error(result.reason);
}

describe("admission", () => {
  const stops: (() => unknown)[] = [];

  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });

  async function edgeWithEcho(...args: Parameters<typeof startTestEdge>) {
    const edge = await startTestEdge(...args);
    stops.push(edge.stop);
    const backend = await startTestBackend({
      onRaw: (socket: Socket) => void socket.pipe(socket),
    });
    stops.push(backend.stop);
    edge.apply({ groups: [testGroup(testBackend(backend.port))] });
    const join = async (hello = login): Promise<TestPlayer> => {
      const player = await edge.connect();
      player.send(hello);
      await until(() => player.received.length === hello.length);
      return player;
    };
    const plays = async (player: TestPlayer): Promise<void> => {
      const before = player.received.length;
      player.send(Buffer.from("x"));
      await until(() => player.received.length === before + 1);
    };
    return { edge, join, plays, port: backend.port };
  }

  test("the oldest silent connection makes room; players keep theirs and new ones join", async () => {
    const { edge, join, plays } = await edgeWithEcho({ pendingMax: 8, pendingPerIpMax: 1_000 });
    const player = await join();
    const silent: TestPlayer[] = [];
    for (let n = 0; n < 40; n++) silent.push(await edge.connect());
    await until(() => edge.outcomes.get("shed_pending") === 32);
    await until(() => silent.slice(0, 32).every(({ isOver }) => isOver));
    expect(silent.slice(32).some(({ isOver }) => isOver)).toBe(false);
    expect(edge.admission.pending).toBe(8);
    await plays(await join());
    await plays(player);
  });

  test("short of file descriptors the silent are shed first, then the new refused", async () => {
    // 20 for connections, of which 18 for newcomers.
    const { edge, join, plays, port } = await edgeWithEcho({}, 148);
    addNeighbour(edge, port);
    const players = [await join(), await join()];
    for (let n = 0; n < 40; n++) await edge.connect();
    await until(() => edge.outcomes.get("shed_files") >= 26);
    expect(edge.admission.pending).toBeLessThanOrEqual(14);
    players.push(await join());
    for (const player of players) await plays(player);
    edge.advance(edgeLimits.handshakeMs);
    await until(() => edge.admission.pending === 0);
    // Players alone hold 18 now: no other connection is left to be closed.
    while (players.length < 6) players.push(await join());
    while (players.length < 9) players.push(await join(loginTo(neighbour)));
    const refused = await edge.connect();
    await until(() => refused.isOver);
    for (const player of players) await plays(player);
  });

  test("one address holds no more than its share, and gets it back", async () => {
    const { edge, join } = await edgeWithEcho({ pendingPerIpMax: 4, openPerIpMax: 6 });
    const silent = [];
    for (let n = 0; n < 6; n++) silent.push(await edge.connect());
    await until(() => edge.outcomes.get("shed_ip") === 2);
    for (const { socket } of silent) socket.destroy();
    await until(() => edge.admission.pending === 0);
    const players = [];
    for (let n = 0; n < 6; n++) players.push(await join());
    const refused = await edge.connect();
    await until(() => refused.isOver);
    expect(edge.outcomes.get("shed_ip")).toBe(3);
    const [leaving] = players;
    leaving?.socket.end();
    await once(leaving?.socket ?? refused.socket, "close");
    await until(() => edge.counters.players === 5);
    await join();
  });

  test("one shield's unanswered logins make room for its own only, and those of others stay", async () => {
    const { edge, join, plays } = await edgeWithEcho({
      halfOpenPerShieldMax: 8,
      pendingPerIpMax: 1_000,
    });
    const handshake = (host: string): Buffer =>
      encodeHandshake({ protocol: 758, host, port: 1, intent: "login" });
    const [other] = [await edge.connect(), await edge.connect()];
    other.send(handshake("unknown.example.org"));
    const bots: TestPlayer[] = [];
    for (let n = 0; n < 24; n++) {
      const bot = await edge.connect();
      bot.send(handshake("play.example.org"));
      bots.push(bot);
    }
    await until(() => edge.outcomes.get("shed_shield") === 16);
    await until(() => bots.slice(0, 16).every(({ isOver }) => isOver));
    expect([other, ...bots.slice(16)].some(({ isOver }) => isOver)).toBe(false);
    expect(edge.admission.pending).toBe(10);
    // A player of the shield itself joins, as one who is done within a round trip.
    await plays(await join());
  });

  test("a shield with as many players as it may have tells the next one so, and takes them once one has left", async () => {
    const { edge, join, plays } = await edgeWithEcho({ playersPerShieldMax: 2 });
    const players = [await join(), await join()];
    const refused = await edge.connect();
    refused.send(login);
    await until(() => refused.isOver);
    expect(refused.text).toContain("Too many");
    expect(edge.outcomes.get("full")).toBe(1);
    expect(edge.counted()?.refused).toEqual({ full: 1 });
    for (const player of players) await plays(player);
    players[0]?.socket.destroy();
    await until(() => edge.counters.players === 1);
    await plays(await join());
  });

  test("the plan's numbers count before those of the edge", async () => {
    const { edge, join, port } = await edgeWithEcho({ playersPerShieldMax: 1 });
    const shares = { players: 2, half_open_logins: null, bytes_per_second: null };
    edge.apply({ groups: [testGroup(testBackend(port))], shares });
    await join();
    await join();
    const refused = await edge.connect();
    refused.send(login);
    await until(() => refused.isOver);
  });

  test("the players of one shield leave descriptors to others where the edge relays by itself, whatever its plan says", async () => {
    // Nine for new connections: three players of a shield, with two each.
    const { edge, join, plays, port } = await edgeWithEcho({}, 96 + 32 + 10);
    const groups = [testGroup(testBackend(port))];
    const shares = { players: 1_000, half_open_logins: null, bytes_per_second: null };
    edge.apply({ groups, shares });
    addNeighbour(edge, port);
    const players = [await join(), await join(), await join()];
    const refused = await edge.connect();
    refused.send(login);
    await until(() => refused.isOver);
    expect(edge.outcomes.get("full")).toBe(1);
    players.push(await join(loginTo(neighbour)));
    for (const player of players) await plays(player);
  });

  test("an IPv6 line counts by its /64, a mapped address as IPv4", () => {
    expect(sourceKey("2001:db8:1:2:3::4")).toBe(sourceKey("2001:db8:1:2:ffff::1"));
    expect(sourceKey("2001:db8:1:3::4")).not.toBe(sourceKey("2001:db8:1:2::4"));
    expect(sourceKey("::ffff:203.0.113.7")).toBe(sourceKey("203.0.113.7"));
  });
});

describe("admission of two threads", () => {
  const limits = { ...edgeLimits, pendingMax: 8, pendingPerIpMax: 3, openPerIpMax: 5 };

  function setUp(openFilesMax = 1_000) {
    const gauges = EdgeGauges.allocate(2);
    const sources = CountMinSketch.allocate({ columns: 2, seed: new Uint8Array(8) });
    const shed: string[] = [];
    const threads = [0, 1].map((column) => {
      const share = {
        gauges: new EdgeGauges(gauges, column),
        sources: new CountMinSketch(sources, column),
        shares: 2,
      };
      const fds = new FdBudget(openFilesMax, share);
      const admission = new Admission(limits, fds, share);
      let last = 0;
      /** Undefined if it was refused. */
      const take = (key: string): { session: Sheddable } | undefined => {
        const name = `${column}.${++last}`;
        if (admission.admits(key) !== undefined) return undefined;
        const session: Sheddable = {
          shed: () => {
            shed.push(name);
            admission.leave(session);
          },
          stop: () => undefined,
          seat: noSeat,
          source: undefined,
        };
        admission.enter(session, key);
        return { session };
      };
      return { admission, fds, take };
    });
    const [first, second] = threads;
    if (first === undefined || second === undefined) throw new Error("no threads");
    return { first, second, shed };
  }

  test("a source has its share of both together, with and without a verdict", () => {
    const { first, second } = setUp();
    const inside = [first, second, first].map(({ admission, take }) => ({
      admission,
      taken: take("203.0.113.7"),
    }));
    expect(second.take("203.0.113.7")).toBeUndefined();
    for (const { admission, taken } of inside) {
      if (taken !== undefined) admission.settle(taken.session);
    }
    // Two more players of its five; then none, on either.
    for (const { admission, take } of [second, first]) {
      const taken = take("203.0.113.7");
      if (taken !== undefined) admission.settle(taken.session);
    }
    expect(first.take("203.0.113.7")).toBeUndefined();
    expect(second.take("203.0.113.7")).toBeUndefined();
    const [leaving] = inside;
    if (leaving?.taken === undefined) throw new Error("not taken");
    leaving.admission.leave(leaving.taken.session);
    expect(second.take("203.0.113.7")).toBeDefined();
  });

  test("each has an equal part of the room, and sheds its own oldest", () => {
    const { first, second, shed } = setUp();
    for (let n = 0; n < 6; n++) first.take(`203.0.113.${n}`);
    for (let n = 0; n < 3; n++) second.take(`198.51.100.${n}`);
    expect(shed).toEqual(["0.1", "0.2"]);
    expect(first.admission.pending).toBe(7);
  });

  test("a connection that is being dialled makes room only after those without a verdict", () => {
    const { first, shed } = setUp();
    const going = first.take("203.0.113.1");
    if (going !== undefined) first.admission.passed(going.session);
    for (let n = 2; n < 9; n++) first.take(`203.0.113.${n}`);
    expect(shed).toEqual(["0.2", "0.3", "0.4", "0.5"]);
  });

  test("if more than half are being dialled, new connections get the other half", () => {
    const { first, shed } = setUp();
    for (let n = 0; n < 4; n++) {
      const going = first.take(`203.0.113.${n}`);
      if (going !== undefined) first.admission.passed(going.session);
    }
    for (let n = 4; n < 8; n++) first.take(`203.0.113.${n}`);
    expect(shed).toEqual(["0.1", "0.2", "0.5", "0.6"]);
    expect(first.admission.pending).toBe(4);
  });

  test("two shields with many dials never cost a third one its own", () => {
    const { first, shed } = setUp();
    const dial = (n: number, shieldId: string): void => {
      const going = first.take(`203.0.113.${n}`);
      if (going === undefined) throw new Error("refused");
      expect(first.admission.named(going.session, shieldId, null)).toBe(true);
      first.admission.passed(going.session);
    };
    dial(0, "quiet");
    for (let n = 1; n < 20; n++) dial(n, `noisy ${n % 2}`);
    expect(shed).toHaveLength(16);
    expect(shed).not.toContain("0.1");
  });

  test("a shield all of whose half-open connections are being dialled takes no more, until one waits for its client", () => {
    const { first, shed } = setUp();
    const enter = (n: number): { session: Sheddable; hasRoom: boolean } => {
      const taken = first.take(`203.0.113.${n}`);
      if (taken === undefined) throw new Error("refused");
      const hasRoom = first.admission.named(taken.session, "a", 4);
      if (!hasRoom) first.admission.leave(taken.session);
      return { session: taken.session, hasRoom };
    };
    const dialled = [enter(1), enter(2)];
    for (const { session } of dialled) first.admission.passed(session);
    expect(enter(3).hasRoom).toBe(false);
    expect([shed, first.admission.pending]).toEqual([[], 2]);
    const [waiting] = dialled;
    if (waiting !== undefined) first.admission.waits(waiting.session);
    expect(enter(4).hasRoom).toBe(true);
    expect([shed, first.admission.pending]).toEqual([["0.1"], 2]);
  });

  test("a connection that answers a challenge is the last without a verdict to be closed", () => {
    const { first, shed } = setUp();
    const answering = first.take("203.0.113.0");
    for (let n = 1; n < 4; n++) first.take(`203.0.113.${n}`);
    if (answering !== undefined) first.admission.answered(answering.session);
    for (let n = 4; n < 7; n++) first.take(`203.0.113.${n}`);
    expect(shed).toEqual(["0.2", "0.3", "0.4"]);
  });

  test("without anybody of its own to shed a thread refuses where descriptors are used up", () => {
    // 10 for connections, of which 9 for newcomers.
    const { first, second, shed } = setUp(96 + 64 + 10);
    for (let n = 0; n < 9; n++) first.fds.take();
    expect(second.take("203.0.113.7")).toBeUndefined();
    expect(first.fds.tryTake()).toBe(true);
    expect(second.fds.tryTake()).toBe(false);
    for (let n = 0; n < 4; n++) first.fds.release();
    expect(second.take("203.0.113.7")).toBeDefined();
    for (let n = 0; n < 3; n++) first.fds.take();
    // Now it has one.
    expect(second.take("203.0.113.8")).toBeDefined();
    expect(shed).toEqual(["1.2"]);
  });

  test("a place that was promised and never taken is given back", () => {
    const { first } = setUp();
    for (let n = 0; n < 20; n++) expect(first.admission.admits("203.0.113.7")).toBeUndefined();
    for (let n = 0; n < 3; n++) expect(first.take("203.0.113.7")).toBeDefined();
    expect(first.take("203.0.113.7")).toBeUndefined();
  });
});
