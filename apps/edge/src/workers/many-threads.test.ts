import type { Socket } from "node:net";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  shieldId,
  testBackend,
  testGroup,
  type TestPlayer,
  testShield,
} from "#src/testing/test-edge.ts";
import { loginOf, startThreadedEdge, type ThreadedEdge } from "#src/testing/threaded-edge.ts";

const openPerIpMax = 60;
const pendingPerIpMax = 40;

let edge: ThreadedEdge;
let backend: Awaited<ReturnType<typeof startTestBackend>>;
let sockets: Socket[] = [];
const players = new Set<TestPlayer>();
const calm = testShield().mitigation;

async function enter(name: string, from?: string, to?: number): Promise<TestPlayer> {
  const player = await edge.connect(from, to);
  players.add(player);
  player.send(loginOf(name));
  return player;
}

const has = (text: string) => (player: TestPlayer) => player.text.includes(text);
const serve = (mitigation: Partial<typeof calm> = {}) =>
  edge.apply({
    groups: [testGroup(testBackend(backend.port))],
    mitigation: { ...calm, ...mitigation },
  });

/** Connects this many at once, each with the name and from the address of its number. */
async function enterAll(
  count: number,
  name: (n: number) => string,
  from: (n: number) => string,
): Promise<TestPlayer[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => enter(name(n), from(n))));
}

const address = (n: number): string => `127.0.${1 + Math.floor(n / 200)}.${1 + (n % 200)}`;

describe.each([1, 4])("%i worker threads take players of one edge", (workers) => {
  beforeAll(async () => {
    backend = await startTestBackend({
      onRaw: (socket) => {
        sockets.push(socket);
        socket.write("welcome");
        socket.resume().on("end", () => socket.end());
      },
    });
    edge = await startThreadedEdge({ workers, limits: { openPerIpMax, pendingPerIpMax } });
  });
  afterAll(async () => {
    await edge.stop();
    await backend.stop();
  });
  afterEach(async () => {
    for (const player of players) player.socket.destroy();
    players.clear();
    sockets = [];
    // No player of one test is still connected in the next.
    await until(() => edge.openFiles() === 0);
  });

  test("all of them join, on every thread, and each is counted once", async () => {
    await serve();
    const before = edge.counters.totals.joins;
    const joined = await enterAll(60, (n) => `Player${n}`, address);
    await until(() => joined.every(has("welcome")));
    await until(() => edge.counters.players === 60);
    expect(edge.counters.totals.joins - before).toBe(60);
    const byRelay = (): readonly number[] => edge.threads().relays.players;
    await until(() => byRelay().reduce((sum, count) => sum + count, 0) === 60);
    expect(byRelay()).toHaveLength(workers);
    const busy = byRelay().filter((count) => count > 0).length;
    expect(busy).toBeGreaterThanOrEqual(Math.min(2, workers));
  });

  test("an address holds its share of connections and no more, whichever threads they meet", async () => {
    const all = await Promise.all(Array.from({ length: 200 }, () => edge.connect()));
    for (const player of all) players.add(player);
    await until(() => all.filter(({ isClosed }) => isClosed).length === 200 - pendingPerIpMax);
    expect(all.filter(({ isClosed }) => !isClosed)).toHaveLength(pendingPerIpMax);
  });

  test("an address has no more players than its share", async () => {
    await serve();
    const inside: TestPlayer[] = [];
    // In portions: those without a verdict have a limit of their own.
    for (let n = 0; n < openPerIpMax; n += 20) {
      const some = await enterAll(
        20,
        (each) => `Some${n + each}`,
        () => "127.0.0.1",
      );
      await until(() => some.every(has("welcome")));
      inside.push(...some);
    }
    const beyond = await enterAll(
      20,
      (n) => `Beyond${n}`,
      () => "127.0.0.1",
    );
    await until(() => beyond.every(({ isOver }) => isOver));
    expect(beyond.filter(has("welcome"))).toEqual([]);
    expect(inside.filter(({ isOver }) => isOver)).toEqual([]);
  });

  test("one login of an address gets in and the others wait for the cooldown, on every thread", async () => {
    await serve({ rejoin_cooldown_ms: 30_000 });
    const same = await enterAll(
      40,
      (n) => `Again${n}`,
      () => "127.0.9.9",
    );
    await until(() => same.every((player) => has("welcome")(player) || player.isOver));
    expect(same.filter(has("welcome"))).toHaveLength(1);
  });

  test("a shield takes its logins in a second, all threads together", async () => {
    const limit = 7;
    await serve({ logins_per_second: limit });
    const beganAt = Date.now();
    const all = await enterAll(
      150,
      (n) => `Login${n}`,
      (n) => `127.0.7.${1 + n}`,
    );
    await until(() => all.every((player) => has("welcome")(player) || player.isOver));
    // Whole seconds of the clock that the logins may have fallen into.
    const seconds = Math.floor(Date.now() / 1_000) - Math.floor(beganAt / 1_000) + 1;
    const taken = all.filter(has("welcome")).length;
    expect(taken).toBeGreaterThanOrEqual(limit);
    expect(taken).toBeLessThanOrEqual(limit * seconds);
  });

  test("an acknowledged configuration is in service on every thread", async () => {
    await serve();
    const lists = { ...testShield().lists, blacklist: ["127.0.0.0/8"] };
    await edge.apply({ groups: [testGroup(testBackend(backend.port))], lists });
    const refused = await enterAll(24, (n) => `Late${n}`, address);
    await until(() => refused.every(({ isOver }) => isOver));
    expect(refused.filter(has("Blacklisted"))).toHaveLength(24);
    edge.sink.remove(shieldId);
    await edge.served();
    const lost = await enterAll(24, (n) => `Lost${n}`, address);
    await until(() => lost.every(({ isOver }) => isOver));
    expect(lost.filter(has("no server at this address"))).toHaveLength(24);
  });

  test("a port of a game that is not parsed is open on every thread, and closes on all", async () => {
    const port = await freePort();
    const other = {
      ...testGroup(testBackend(backend.port, 20)),
      id: "0190a000-0000-7000-8000-000000000070",
      default: false,
      game: "other" as const,
      port,
    };
    await edge.apply({ groups: [testGroup(), other] });
    const isOpen = async (): Promise<boolean> => {
      const player = await edge.connect("127.0.0.1", port);
      await until(() => player.isOver || player.text === "welcome");
      player.socket.destroy();
      return player.text === "welcome";
    };
    await until(isOpen);
    for (let n = 0; n < 20; n++) expect(await isOpen()).toBe(true);
    expect(edge.playerPorts()).toContain(port);
    await edge.apply({ groups: [testGroup()] });
    await until(async () => !(await isOpen()));
  });

  test("an unproven server that answers one thread as Minecraft takes the players of all", async () => {
    const minecraft = await startTestBackend();
    const unproven = { ...testBackend(minecraft.port, 30), proven: false };
    await edge.apply({ groups: [testGroup(unproven)] });
    await until(() => edge.counters.players === 0);
    const players = await enterAll(24, (n) => `Asked${n}`, address);
    await until(() => edge.counters.players === 24);
    // Each thread asks at most once, and so does the check of its health.
    expect(minecraft.state.connections).toBeLessThanOrEqual(24 + workers + 1);
    await until(() => edge.health.drain().some(({ answered_at }) => answered_at !== null));
    for (const { socket } of players) socket.destroy();
    await minecraft.stop();
  });

  test("another edge does not share the port by accident", async () => {
    await expect(startThreadedEdge({ workers: 2, port: edge.port })).rejects.toThrow("EADDRINUSE");
  });

  test("connections that wait while every thread hangs are served by the threads that take their place", async () => {
    await serve();
    const lost = edge.threads().workersLost;
    for (const thread of edge.pool.threads) edge.block(thread);
    // None of them accepts any more.
    await until(() => edge.pool.threads.every(({ silentTicks }) => silentTicks >= 3));
    const waiting = await enterAll(24, (n) => `Wait${n}`, address);
    // As if half a minute had passed without a message.
    for (let second = 0; second < 30; second++) edge.pool.tick();
    await until(() => waiting.every(has("welcome")));
    await until(() => edge.threads().workers === workers);
    expect(edge.threads().workersLost).toBe(lost + workers);
    await until(() => edge.counters.players === 24);
  });

  test("a thread that throws leaves players where they are, and another takes its place", async () => {
    await serve();
    await until(() => edge.counters.players === 0);
    const joined = await enterAll(40, (n) => `Stay${n}`, address);
    await until(() => joined.every(has("welcome")));
    await until(() => edge.counters.players === 40);
    const lost = edge.threads().workersLost;
    const broken = edge.pool.threads.slice(0, 2);
    for (const thread of broken) thread.post({ kind: "changes", number: 0, text: "no JSON" });
    await until(() => edge.threads().workersLost === lost + broken.length);
    for (const socket of sockets) socket.write("!");
    await until(() => joined.every(has("welcome!")));
    // The main thread counts the players of threads that are gone.
    await until(() => edge.counters.players === 40);
    await until(() => edge.threads().workers === workers);
    const late = await enterAll(24, (n) => `After${n}`, address);
    await until(() => late.every(has("welcome")));
    expect(joined.filter(({ isOver }) => isOver)).toEqual([]);
    for (const player of joined) player.socket.end();
    await until(() => edge.counters.players === 24);
  });

  test("a thread that hangs holds up no receipts; another takes its place, and players stay", async () => {
    await serve();
    await until(() => edge.counters.players === 0);
    const joined = await enterAll(20, (n) => `Keep${n}`, address);
    await until(() => joined.every(has("welcome")));
    await until(() => edge.counters.players === 20);
    const lost = edge.threads().workersLost;
    const [stuck, ...sound] = edge.pool.threads;
    if (stuck === undefined) throw new Error("no thread");
    edge.block(stuck);
    let isServed = false;
    void serve().then(() => (isServed = true));
    // The other threads apply one change after the other at the same time.
    const change = (): void => void serve();
    await until(() => (change(), isServed), { everyMs: 50 });
    const lookAgain = (): boolean => {
      // Threads that do not hang send a message between two checks.
      if (sound.every(({ silentTicks }) => silentTicks === 0)) edge.pool.tick();
      change();
      return edge.threads().workersLost > lost;
    };
    await until(lookAgain, { everyMs: 20 });
    await until(() => edge.threads().workers === workers);
    expect(edge.threads().workersLost).toBe(lost + 1);
    for (const socket of sockets) socket.write("!");
    await until(() => joined.every(has("welcome!")));
    const late = await enterAll(24, (n) => `After${n}`, address);
    await until(() => late.every(has("welcome")));
    await until(() => edge.counters.players === 44);
  });

  test("nothing that was counted is lost when the edge stops", async () => {
    await serve();
    await until(() => edge.counters.players === 0);
    edge.counters.drain(Date.now());
    const bytes = 10_000;
    const joined = await enterAll(30, (n) => `Last${n}`, address);
    await until(() => joined.every(has("welcome")));
    for (const player of joined) player.send(Buffer.alloc(bytes));
    const logins = joined.reduce((sum, _, n) => sum + loginOf(`Last${n}`).length, 0);
    // Checks of the backend send a few bytes on connections of their own.
    const ofPlayers = (): Socket[] => sockets.filter(({ bytesRead }) => bytesRead >= bytes);
    const heard = (): number => ofPlayers().reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    await until(() => heard() === logins + 30 * bytes);
    await edge.stop();
    await until(() => joined.every(({ isOver }) => isOver));
    const { minutes } = edge.counters.drain(Date.now());
    const sum = (name: "joins" | "bytes_up" | "bytes_down"): number =>
      minutes.reduce((total, minute) => total + minute[name], 0);
    expect({ joins: sum("joins"), up: sum("bytes_up"), down: sum("bytes_down") }).toEqual({
      joins: 30,
      up: logins + 30 * bytes,
      down: 30 * "welcome".length,
    });
  });
});
