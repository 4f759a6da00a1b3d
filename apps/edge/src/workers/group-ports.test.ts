import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { encodeProxyV2 } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlayerRegister } from "#src/relay/adopted-relays.ts";
import { readSlowly, sendAll } from "#src/testing/byte-stream.ts";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  shieldId,
  startTestEdge,
  testBackend,
  type TestEdge,
  testGroup,
  type TestPlayer,
  testShield,
} from "#src/testing/test-edge.ts";
import { edgeLimits } from "#src/admission/limits.ts";
import { portRetryMs } from "./group-ports.ts";

let edge: TestEdge;
let port: number;
const stops: (() => unknown)[] = [];

beforeEach(async () => {
  edge = await startTestEdge();
  stops.push(edge.stop);
  port = await freePort();
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

type Group = ShieldConfig["groups"][number];

function otherGroup(at: number | null, change: Partial<Group> = {}, ...ports: number[]): Group {
  return {
    ...testGroup(...ports.map((backend, n) => testBackend(backend, 20 + n))),
    id: "0190a000-0000-7000-8000-000000000070",
    default: false,
    game: "other",
    port: at,
    ...change,
  };
}

const withGroups = (...groups: Group[]) => ({ groups: [testGroup(), ...groups] });

async function startEcho(greeting = "") {
  const server = await startTestBackend({
    onRaw: (socket: Socket) => {
      socket.write(greeting);
      socket.on("data", (chunk: Buffer) => void socket.write(chunk));
      socket.on("end", () => socket.end());
    },
  });
  stops.push(server.stop);
  return server;
}

async function connect(from?: string, to = port): Promise<TestPlayer> {
  const player = await edge.connect(to, from);
  stops.push(() => player.socket.destroy());
  return player;
}

const isRefused = async (): Promise<boolean> => {
  const player = await connect();
  await until(() => player.isClosed || player.socket.readyState === "open");
  return player.isClosed;
};

describe("a game that is not parsed, on a port of its own", () => {
  test("every byte goes both ways, whichever side speaks first, and ends are passed on", async () => {
    const { port: backend } = await startEcho("hello ");
    edge.apply(withGroups(otherGroup(port, {}, backend)));
    const player = await connect();
    await until(() => player.text === "hello ");
    const bytes = Buffer.from("\x00\xff\x10\x00PROXY \r\n\x0d\x0a", "latin1");
    player.send(bytes);
    await until(() => player.received.length === 6 + bytes.length);
    expect(player.received.subarray(6)).toEqual(bytes);
    player.socket.end();
    await until(() => player.hasEnded);
    await until(() => edge.counters.players === 0);
    const [minute] = edge.counters.drain(Date.now()).minutes;
    expect(minute).toMatchObject({ joins: 1, bytes_up: bytes.length, refused: {} });
  });

  test("bytes sent and ended before the backend has answered arrive whole", async () => {
    const got = Promise.withResolvers<string>();
    const server = await startTestBackend({
      onRaw: (socket) => void readSlowly(socket).then(got.resolve),
    });
    stops.push(server.stop);
    edge.apply(withGroups(otherGroup(port, {}, server.port)));
    const player = await connect();
    const sent = await sendAll(player.socket, 2_000_000);
    expect(await got.promise).toBe(sent);
    expect(sent).toHaveLength(createHash("sha1").digest("hex").length);
  });

  test("balancing, failover and a strict PROXY receiver", async () => {
    const heard: Buffer[] = [];
    const strict = await startTestBackend({
      onRaw: (socket) => void socket.on("data", (chunk: Buffer) => heard.push(chunk)),
    });
    stops.push(strict.stop);
    const gone = await startEcho();
    await gone.stop();
    const group = otherGroup(port, { proxy_protocol: true }, gone.port, strict.port);
    edge.apply(withGroups(group));
    for (let n = 0; n < 3; n++) {
      const player = await connect("127.0.0.3");
      player.send(Buffer.from("hi"));
      const source = { ip: parseIp("127.0.0.3"), port: player.socket.localPort ?? 0 };
      const destination = { ip: parseIp("127.0.0.1"), port };
      if (source.ip === undefined || destination.ip === undefined) throw new Error("addresses");
      const header = encodeProxyV2(
        { ...source, ip: source.ip },
        { ...destination, ip: destination.ip },
      );
      await until(() => Buffer.concat(heard).includes(header));
      await until(() => Buffer.concat(heard).includes("hi"));
      heard.length = 0;
    }
  });

  test("lists decide, and every refusal is counted", async () => {
    const { port: backend, state } = await startEcho("hello");
    const groups = withGroups(otherGroup(port, {}, backend));
    const lists = { ...testShield().lists, blacklist: ["127.0.0.3"], whitelist: ["127.0.0.4"] };
    edge.apply({ ...groups, lists });
    const blocked = await connect("127.0.0.3");
    await until(() => blocked.isOver);
    edge.apply({ ...groups, lists: { ...lists, whitelist_only: true } });
    const stranger = await connect("127.0.0.5");
    await until(() => stranger.isOver);
    const friend = await connect("127.0.0.4");
    await until(() => friend.text === "hello");
    edge.apply({ ...groups, status: "expired" });
    const late = await connect("127.0.0.4");
    await until(() => late.isOver);
    expect([blocked.text, stranger.text, late.text]).toEqual(["", "", ""]);
    expect(friend.isOver).toBe(false);
    const [minute] = edge.counters.drain(Date.now()).minutes;
    expect(minute?.refused).toEqual({ blacklist: 1, whitelist_only: 1, expired: 1 });
    expect(state.connections - 1).toBeLessThanOrEqual(2);
  });

  test("if no server answers, the player is disconnected within the deadline", async () => {
    edge.apply(withGroups(otherGroup(port)));
    const player = await connect();
    await until(() => player.isOver);
    expect(edge.outcomes.get("offline")).toBe(1);
    expect(edge.admission.pending).toBe(0);
  });

  test("a server that never answers is given up within the deadline", async () => {
    const silent = { ...testBackend(25_565, 20), host: "192.0.2.1" };
    edge.apply(withGroups({ ...otherGroup(port), backends: [silent] }));
    const player = await connect();
    await until(() => edge.outcomes.accepted === 1);
    edge.advance(edgeLimits.dialMs + 1_000);
    await until(() => player.isOver);
    expect(edge.outcomes.get("offline")).toBe(1);
  });

  test("a trusted proxy names the player here as well, wherever its header is split", async () => {
    await edge.stop();
    edge = await startTestEdge({}, 20_000, ["127.0.0.1"]);
    stops.push(edge.stop);
    const heard: string[] = [];
    const server = await startTestBackend({
      onRaw: (socket) => {
        const n = heard.push("") - 1;
        socket.on("data", (chunk: Buffer) => {
          heard[n] += chunk.toString("latin1");
        });
      },
    });
    stops.push(server.stop);
    edge.apply(withGroups(otherGroup(port, { proxy_protocol: true }, server.port)));
    const source = parseIp("203.0.113.7");
    const destination = parseIp("198.51.100.1");
    if (source === undefined || destination === undefined) throw new Error("addresses");
    const header = encodeProxyV2({ ip: source, port: 1 }, { ip: destination, port: 2 });
    const bytes = Buffer.concat([header, Buffer.from("hello")]);
    for (let cut = 1; cut < bytes.length; cut += 3) {
      const player = await connect();
      player.send(bytes.subarray(0, cut));
      await new Promise((resolve) => setImmediate(resolve));
      player.send(bytes.subarray(cut));
      await until(() => heard.at(-1) === bytes.toString("latin1"));
      heard.length = 0;
      player.socket.destroy();
    }
    const stranger = await connect("127.0.0.2");
    stranger.send(Buffer.from("plain"));
    await until(() => heard.at(-1)?.endsWith("plain") === true);
    expect(heard.at(-1)?.length).toBe(28 + 5);
  });

  test("an address holds no more than its share", async () => {
    await edge.stop();
    edge = await startTestEdge({ openPerIpMax: 2 });
    stops.push(edge.stop);
    const { port: backend } = await startEcho("hello");
    edge.apply(withGroups(otherGroup(port, {}, backend)));
    const players = [await connect(), await connect()];
    await until(() => players.every(({ text }) => text === "hello"));
    const third = await connect();
    await until(() => third.isOver);
    expect(edge.outcomes.get("shed_ip")).toBe(1);
  });
});

describe("a silent player", () => {
  async function restart(limits: Parameters<typeof startTestEdge>[0]) {
    await edge.stop();
    edge = await startTestEdge(limits);
    stops.push(edge.stop);
  }

  test("is no player: if the server is silent too, both are closed soon", async () => {
    const server = await startTestBackend({
      onRaw: (socket) => void socket.on("data", () => socket.write("you have spoken")),
    });
    stops.push(server.stop);
    edge.apply(withGroups(otherGroup(port, {}, server.port)));
    const [silent, speaking] = [await connect(), await connect()];
    speaking.send(Buffer.from("hi"));
    await until(() => edge.counters.players === 2 && edge.admission.pending === 1);
    await until(() => speaking.text !== "");
    edge.advance(edgeLimits.silenceMs + 1_000);
    await until(() => silent.isOver && edge.counters.players === 1);
    expect(speaking.isOver).toBe(false);
    expect([edge.outcomes.get("deadline"), edge.outcomes.get("forwarded")]).toEqual([1, 1]);
    expect(edge.admission.pending).toBe(0);
  });

  test("that then speaks to a server that goes on being silent is closed within the dial's deadline", async () => {
    const server = await startTestBackend({ onRaw: (socket) => void socket.resume() });
    stops.push(server.stop);
    edge.apply(withGroups(otherGroup(port, {}, server.port)));
    const player = await connect();
    player.send(Buffer.from("hi"));
    await until(() => edge.outcomes.get("forwarded") === 1);
    edge.advance(edgeLimits.dialMs + 1_000);
    await until(() => player.isOver && edge.counters.players === 0);
  });

  test("is one where the server speaks, and takes no other connection's room", async () => {
    await restart({ pendingMax: 2 });
    const { port: backend } = await startEcho("hello");
    edge.apply(withGroups(otherGroup(port, {}, backend)));
    const players: TestPlayer[] = [];
    for (let n = 1; n <= 4; n++) {
      players.push(await connect());
      await until(() => edge.outcomes.get("forwarded") === n);
    }
    expect([edge.admission.pending, edge.counters.players]).toEqual([0, 4]);
    edge.advance(edgeLimits.silenceMs + 1_000);
    players[0]?.send(Buffer.from("!"));
    await until(() => players[0]?.text === "hello!");
    expect(players.some(({ isOver }) => isOver)).toBe(false);
  });

  test("makes room for others of its shield once that has as many half-open connections as it may have and the server is silent too", async () => {
    const server = await startTestBackend({ onRaw: (socket) => void socket.resume() });
    stops.push(server.stop);
    const shares = { players: null, half_open_logins: 4, bytes_per_second: null };
    edge.apply({ ...withGroups(otherGroup(port, {}, server.port)), shares });
    const silent: TestPlayer[] = [];
    for (let dials = 1; dials <= 7; dials++) {
      silent.push(await connect());
      await until(() => server.state.connections === dials);
      await until(() => edge.counters.players === Math.min(dials, 4));
    }
    await until(() => silent.slice(0, 3).every(({ isOver }) => isOver));
    expect(silent.slice(3).some(({ isOver }) => isOver)).toBe(false);
    expect([edge.outcomes.get("shed_shield"), edge.admission.pending]).toEqual([3, 4]);
  });

  test("all of one shield's players together take no more than its share", async () => {
    await restart({ unparsedPerShieldMax: 2 });
    const { port: backend } = await startEcho("hello");
    edge.apply(withGroups(otherGroup(port, {}, backend)));
    const players = [await connect(), await connect()];
    await until(() => players.every(({ text }) => text === "hello"));
    const third = await connect();
    await until(() => third.isOver);
    expect(edge.outcomes.get("shed_shield")).toBe(1);
    players[0]?.socket.destroy();
    await until(() => edge.counters.players === 1);
    const fourth = await connect();
    await until(() => fourth.text === "hello");
  });

  test("a shield without room for another player closes the connection, and opens it for the next", async () => {
    await restart({ playersPerShieldMax: 1 });
    const { port: backend } = await startEcho("hello");
    edge.apply(withGroups(otherGroup(port, {}, backend)));
    const first = await connect();
    await until(() => first.text === "hello");
    const second = await connect();
    await until(() => second.isOver && edge.outcomes.get("full") === 1);
    expect(edge.counted()?.refused).toEqual({ full: 1 });
    first.socket.destroy();
    await until(() => edge.counters.players === 0);
    const third = await connect();
    await until(() => third.text === "hello");
  });

  test("players that an earlier edge has let in count towards it", async () => {
    await restart({ unparsedPerShieldMax: 2 });
    const { port: backend } = await startEcho("hello");
    edge.apply(withGroups(otherGroup(port, {}, backend)));
    const { counters, shields, admission, health } = edge;
    const register = createPlayerRegister({
      counters,
      shields,
      limits: edgeLimits,
      admission,
      health,
    });
    const ids = { shield: shieldId, backend: "", source: "127.0.0.9", isUnparsed: true };
    const leave = [register.adopt(ids), register.adopt(ids)];
    const third = await connect();
    await until(() => third.isOver);
    expect(edge.outcomes.get("shed_shield")).toBe(1);
    leave[0]?.();
    const fourth = await connect();
    await until(() => fourth.text === "hello");
    leave[1]?.();
  });
});

describe("the ports of groups", () => {
  const other = {
    shield_id: "0190a000-0000-7000-8000-000000000002",
    label: "bbbbbbbbbbbb.gs.localhost",
    domains: [],
  };

  test("open and close with the configuration; players stay", async () => {
    const { port: backend } = await startEcho("hello");
    expect(await isRefused()).toBe(true);
    edge.apply(withGroups(otherGroup(port, {}, backend)));
    const player = await connect();
    await until(() => player.text === "hello");
    const next = await freePort();
    edge.apply(withGroups(otherGroup(next, {}, backend)));
    expect(await isRefused()).toBe(true);
    expect((await connect(undefined, next)).isClosed).toBe(false);
    edge.sink.remove(shieldId);
    const gone = await connect(undefined, next);
    await until(() => gone.isClosed);
    player.send(Buffer.from("!"));
    await until(() => player.text === "hello!");
  });

  test("only on edges that have the group", async () => {
    const { port: backend } = await startEcho("hello");
    edge.location.setLocation("london");
    edge.apply(withGroups(otherGroup(port, { location: "frankfurt" }, backend)));
    expect(await isRefused()).toBe(true);
    edge.location.setLocation("frankfurt");
    const player = await connect();
    await until(() => player.text === "hello");
  });

  test("a port that moves between shields is never bound twice, in either order", async () => {
    const [a, b] = [await startEcho("A"), await startEcho("B")];
    const first = testShield(withGroups(otherGroup(port, {}, a.port)));
    const second = testShield({ ...other, ...withGroups(otherGroup(port, {}, b.port)) });
    const greeting = async (): Promise<string> => {
      const player = await connect();
      await until(() => player.text.length > 0);
      return player.text;
    };
    edge.sink.apply(first);
    expect(await greeting()).toBe("A");
    edge.sink.apply(second);
    expect(await greeting()).toBe("B");
    edge.sink.apply({ ...first, ...withGroups() });
    expect(await greeting()).toBe("B");
    // The other way round: given up first, then taken.
    edge.sink.remove(other.shield_id);
    edge.sink.apply(first);
    expect(await greeting()).toBe("A");
    expect(
      await edge.metrics.getSingleMetricAsString("palisade_edge_group_port_failures_total"),
    ).toMatch(/total 0$/);
  });

  test("a port that cannot be opened is tried again, later each time, and counted", async () => {
    const { port: backend } = await startEcho("hello");
    const squatter = createServer().listen(port, "127.0.0.1");
    await once(squatter, "listening");
    edge.apply(withGroups(otherGroup(port, {}, backend)));
    const failures = async (): Promise<number> => {
      const text = await edge.metrics.getSingleMetricAsString(
        "palisade_edge_group_port_failures_total",
      );
      return Number(/total (\d+)$/.exec(text)?.[1]);
    };
    await until(async () => (await failures()) === 1);
    edge.advance(portRetryMs);
    await until(async () => (await failures()) === 2);
    squatter.close();
    await once(squatter, "close");
    edge.advance(2 * portRetryMs);
    const player = await until(async () => {
      const tried = await connect();
      await until(() => tried.isClosed || tried.text === "hello");
      return tried.text === "hello" ? tried : undefined;
    });
    expect(player.text).toBe("hello");
    expect(await edge.metrics.getSingleMetricAsString("palisade_edge_group_ports_missing")).toMatch(
      /missing 0$/,
    );
  });

  test("no backend is a port of the edge's own", async () => {
    edge.apply(withGroups(otherGroup(port, {}, port)));
    const player = await connect();
    await until(() => player.isOver);
    expect(edge.outcomes.accepted).toBe(1);
  });
});
