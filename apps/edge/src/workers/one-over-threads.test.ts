import type { Socket } from "node:net";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { statusRequest } from "@palisade/minecraft-protocol/java/status";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import { testBackend, testGroup, type TestPlayer, testShield } from "#src/testing/test-edge.ts";
import { loginOf, startThreadedEdge, type ThreadedEdge } from "#src/testing/threaded-edge.ts";

type TestServer = Awaited<ReturnType<typeof startTestBackend>>;

const workers = 2;
let edge: ThreadedEdge;
let servers: TestServer[] = [];
let joinsOf: number[] = [];
let serial = 0;
const players = new Set<TestPlayer>();

beforeAll(async () => {
  edge = await startThreadedEdge({ workers });
});
afterAll(() => edge.stop());
afterEach(async () => {
  for (const player of players) player.socket.destroy();
  players.clear();
  await until(() => edge.counters.players === 0 && edge.openFiles() === 0);
  for (const server of servers.splice(0)) await server.stop();
});

/** Servers that admit every player, each known by its number. */
async function startServers(count: number): Promise<void> {
  joinsOf = Array.from({ length: count }, () => 0);
  for (let n = 0; n < count; n++) {
    const onRaw = (socket: Socket): void => {
      socket.once("data", (chunk: Buffer) => {
        // Checks of its health come, too.
        if (!chunk.includes("Player")) return;
        joinsOf[n] = (joinsOf[n] ?? 0) + 1;
        socket.write(`welcome to ${n}`);
      });
      socket.on("end", () => socket.end());
    };
    servers.push(await startTestBackend({ onRaw }));
  }
}

async function join(): Promise<TestPlayer> {
  const n = ++serial;
  const player = await edge.connect(`127.0.${1 + Math.floor(n / 200)}.${1 + (n % 200)}`);
  players.add(player);
  player.send(loginOf(`Player${n}`));
  await until(() => player.text.includes("welcome") || player.isOver);
  return player;
}

function balanced(balancing: ShieldConfig["groups"][number]["balancing"]): Partial<ShieldConfig> {
  const backends = servers.map(({ port }, n) => testBackend(port, 10 + n));
  return { groups: [{ ...testGroup(...backends), balancing }] };
}

describe("over several threads", () => {
  test("round robin gives each server in turn, whichever thread a player meets", async () => {
    await startServers(3);
    await edge.apply(balanced("round_robin"));
    await Promise.all(Array.from({ length: 48 }, join));
    expect(joinsOf).toEqual([16, 16, 16]);
  });

  test("least connections goes by the players of all threads, and by those who have left", async () => {
    await startServers(3);
    await edge.apply(balanced("least_connections"));
    for (let n = 0; n < 15; n++) await join();
    expect(joinsOf).toEqual([5, 5, 5]);
    const ofFirst = [...players].filter(({ text }) => text.includes("welcome to 0"));
    for (const { socket } of ofFirst) socket.end();
    await until(() => edge.counters.players === 10);
    for (let n = 0; n < 5; n++) await join();
    expect(joinsOf).toEqual([10, 5, 5]);
  });

  test("a server is asked for its status once, all threads answer, and all forget with a purge", async () => {
    const server = await startTestBackend();
    servers.push(server);
    const cached = (purge: number): Partial<ShieldConfig> => ({
      groups: [testGroup(testBackend(server.port))],
      status_cache: { enabled: true, fresh_ms: 600_000, stale_ms: 600_000, purge },
    });
    // Other than health checks ask for.
    const handshake = { protocol: 340, host: "play.example.org", port: 1 } as const;
    const hello = encodeHandshake({ ...handshake, intent: "status" });
    const asked = (): number => server.state.protocols.filter((each) => each === 340).length;
    const ping = async (): Promise<string> => {
      const player = await edge.connect();
      player.send(Buffer.concat([hello, statusRequest]));
      await until(() => player.text.includes('"n":') || player.isOver);
      player.socket.destroy();
      return player.text;
    };
    const before = edge.counters.totals;
    await edge.apply(cached(1));
    const answers = await Promise.all(Array.from({ length: 40 }, ping));
    expect(new Set(answers).size).toBe(1);
    expect(asked()).toBe(1);
    await edge.apply(cached(2));
    const others = await Promise.all(Array.from({ length: 40 }, ping));
    expect(new Set([...answers, ...others]).size).toBe(2);
    expect(asked()).toBe(2);
    await until(() => edge.counters.totals.pings - before.pings === 80);
    // As in one thread: a ping that joins another's fetch has asked no backend.
    expect(edge.counters.totals.status_hits - before.status_hits).toBeLessThanOrEqual(78);
  });

  test("no thread challenges a player that the edge knows as verified, and each challenges an unknown one", async () => {
    await startServers(1);
    const mitigation = { ...testShield().mitigation, antibot: "high" as const };
    await edge.apply({ ...balanced("round_robin"), mitigation });
    edge.verified.add("PlayerKnown", Uint8Array.of(127, 0, 50, 1), "gravity", Date.now());
    const enter = async (name: string, n: number): Promise<TestPlayer> => {
      const player = await edge.connect(`127.0.50.${1 + n}`);
      players.add(player);
      player.send(loginOf(name));
      await until(() => player.received.length > 0);
      return player;
    };
    for (let n = 0; n < 12; n++) expect((await enter("PlayerKnown", n)).text).toContain("welcome");
    for (let n = 0; n < 12; n++)
      expect((await enter(`PlayerNo${n}`, n)).text).not.toContain("welcome");
    expect(joinsOf).toEqual([12]);
  });

  test("a ban holds on every thread, and ends on every thread", async () => {
    const from = "127.0.60.1";
    const knock = async (): Promise<boolean> => {
      const player = await edge.connect(from);
      players.add(player);
      player.send(loginOf("PlayerBanned"));
      await until(() => player.isOver || player.received.length > 0);
      return player.received.length === 0;
    };
    await startServers(1);
    await edge.apply(balanced("round_robin"));
    edge.bans.add(`${from}/32`, 600, Date.now());
    for (let n = 0; n < 12; n++) expect(await knock()).toBe(true);
    edge.bans.remove(`${from}/32`);
    for (let n = 0; n < 12; n++) expect(await knock()).toBe(false);
    await until(() => edge.outcomes.get("shed_ban") === 12);
  });

  test("logins of a shield are written down as of one thread, and what is left out is counted", async () => {
    const lists = { ...testShield().lists, blacklist: ["127.0.0.0/8"] };
    await edge.apply({ groups: [testGroup(testBackend(1))], lists });
    edge.logins.take(Number.POSITIVE_INFINITY);
    const { leftOut } = edge.logins;
    const beganAt = Date.now();
    const refused = await Promise.all(Array.from({ length: 120 }, join));
    expect(refused.every(({ isOver }) => isOver)).toBe(true);
    const seconds = Math.floor(Date.now() / 1_000) - Math.floor(beganAt / 1_000) + 1;
    await until(() => edge.logins.size + edge.logins.leftOut - leftOut === 120);
    // One in 64 of what is beyond, of each thread.
    expect(edge.logins.size).toBeLessThanOrEqual(20 * seconds + 2);
    expect(edge.logins.size).toBeGreaterThanOrEqual(20);
  });
});
