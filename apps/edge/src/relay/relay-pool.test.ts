import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { megabyte, readSlowly, sendAll } from "#src/testing/byte-stream.ts";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  headBytes,
  startTestForwarder,
  type TestForwarder,
  type TestForwarderOptions,
} from "#src/testing/test-forwarder.ts";

const stops: (() => unknown)[] = [];
let folder: string;

beforeEach(async () => {
  const temporary = await createTemporaryFolder("relays");
  folder = temporary.path;
  stops.push(() => temporary.remove());
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const header = Buffer.from("header ");
const head = Buffer.alloc(headBytes, "h");

async function startStage(options: Partial<TestForwarderOptions> = {}) {
  const accepted: Socket[] = [];
  const server = await startTestBackend({ onRaw: (socket) => accepted.push(socket) });
  stops.push(server.stop);
  const startForwarder = async (): Promise<TestForwarder> => {
    const forwarder = await startTestForwarder({ folder, backendPort: server.port, ...options });
    stops.push(async () => {
      forwarder.stop();
      await until(() => forwarder.pool.pids.every(isGone), {
        what: "the end of the relay processes",
      });
    });
    return forwarder;
  };
  return { accepted, startForwarder };
}

/** Connects, and says the head and whatever is to come with it. */
function enter(forwarder: TestForwarder, more = ""): Socket {
  const player = connect({ port: forwarder.port, host: "127.0.0.1", allowHalfOpen: true });
  player.on("error", () => undefined);
  player.write(Buffer.concat([head, Buffer.from(more)]));
  stops.push(() => player.destroy());
  return player;
}

async function joined(forwarder: TestForwarder, accepted: Socket[]) {
  const player = enter(forwarder);
  const backend = await until(() => accepted.pop());
  return { player, backend };
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** The bytes it has received so far. */
function heardBy(socket: Socket): () => string {
  let heard = "";
  socket.on("data", (chunk: Buffer) => (heard += chunk.toString()));
  return () => heard;
}

describe("players in a process of their own", () => {
  test("header, head and what came behind it arrive in this order, and back; all is counted", async () => {
    const { accepted, startForwarder } = await startStage({ header });
    const forwarder = await startForwarder();
    const player = enter(forwarder, " and more");
    const backend = await until(() => accepted.pop());
    const atBackend = heardBy(backend);
    const atPlayer = heardBy(player);
    await until(() => atBackend() === `header ${String(head)} and more`);
    backend.write("answer");
    await until(() => atPlayer() === "answer");
    player.write("!");
    await until(() => forwarder.counts.answered === 1 && forwarder.counts.spoke === 1);
    // The forwarder itself holds nothing of them any more.
    await until(() => forwarder.openFiles() === 0);
    player.end();
    backend.end();
    await until(() => forwarder.counts.closed === 1);
    expect(forwarder.counts.moved).toEqual({ bytesUp: head.length + 10, bytesDown: 6 });
    expect(forwarder.counts.players).toBe(0);
    expect(forwarder.openFiles()).toBe(0);
  });

  test("slow peers get what was sent to them, both ways at once", async () => {
    const { accepted, startForwarder } = await startStage();
    const { player, backend } = await joined(await startForwarder(), accepted);
    const bytes = 16 * megabyte;
    const [up, upRead, down, downRead] = await Promise.all([
      sendAll(player, bytes),
      readSlowly(backend, head.length),
      sendAll(backend, bytes),
      readSlowly(player),
    ]);
    expect(upRead).toBe(up);
    expect(downRead).toBe(down);
  });

  test("a backend that ends without a word is told of, and one that the edge lets go ends", async () => {
    const { accepted, startForwarder } = await startStage();
    const forwarder = await startForwarder();
    const first = await joined(forwarder, accepted);
    first.backend.resume();
    first.player.resume();
    first.backend.end();
    await until(() => forwarder.counts.hungUp === 1);
    first.player.end();
    await until(() => forwarder.counts.closed === 1);
    const second = await joined(forwarder, accepted);
    second.backend.resume();
    second.player.resume();
    await until(() => forwarder.relays.size === 1);
    for (const relay of forwarder.relays) relay.destroy();
    await until(() => second.player.destroyed || second.player.readableEnded);
    second.player.end();
    second.backend.end();
    await until(() => forwarder.counts.players === 0);
  });

  test("a full process is followed by another, and used again; those that are not needed end", async () => {
    const { accepted, startForwarder } = await startStage({ playersMax: 1 });
    const forwarder = await startForwarder();
    const processes = new Set<number>();
    for (let evening = 0; evening < 3; evening++) {
      const both = await Promise.all([joined(forwarder, accepted), joined(forwarder, accepted)]);
      await until(() => forwarder.pool.takesPlayers);
      for (const pid of forwarder.pool.pids) processes.add(pid);
      // Players who came when all processes were full have waited for the next one.
      expect(forwarder.pool.counts).toMatchObject({ players: [1, 1, 0], byWorkers: 0 });
      for (const { player, backend } of both) for (const end of [player, backend]) end.destroy();
      await until(() => forwarder.counts.players === 0);
    }
    expect(processes.size).toBe(3);
    forwarder.pool.tick();
    forwarder.pool.tick();
    const [first] = forwarder.pool.pids;
    expect(forwarder.pool.pids).toHaveLength(1);
    await until(() => [...processes].every((pid) => pid === first || isGone(pid)));
    expect(forwarder.pool.counts.lost).toBe(0);
  });

  test("a process that is killed takes only its own players, and another takes its place", async () => {
    const { accepted, startForwarder } = await startStage({ playersMax: 1 });
    const forwarder = await startForwarder();
    const first = await joined(forwarder, accepted);
    const second = await joined(forwarder, accepted);
    await until(() => forwarder.pool.takesPlayers);
    const [pid = 0, ...others] = forwarder.pool.pids;
    for (const { player } of [first, second]) player.resume();
    process.kill(pid, "SIGKILL");
    await until(() => first.player.destroyed || first.player.readableEnded);
    await until(() => forwarder.counts.players === 1);
    second.backend.write("still here");
    await until(() => second.player.bytesRead === 10);
    for (const other of others) process.kill(other, "SIGKILL");
    await until(() => second.player.destroyed || second.player.readableEnded);
    // A dead process that is not missed yet would take the player with it.
    await until(() => !others.some((other) => forwarder.pool.pids.includes(other)));
    // No process is running: new players wait for the next one.
    const third = await joined(forwarder, accepted);
    third.backend.write("welcome");
    await until(() => third.player.read() !== null);
    expect(forwarder.pool.counts).toMatchObject({ byWorkers: 0, lost: 1 + others.length });
  });

  test("a player who waits for a process and is dropped, or leaves, is gone once it is running", async () => {
    const { accepted, startForwarder } = await startStage({ playersMax: 1 });
    const forwarder = await startForwarder();
    const inside = await joined(forwarder, accepted);
    await until(() => forwarder.pool.takesPlayers);
    const before = new Set(forwarder.relays);
    for (const pid of forwarder.pool.pids) process.kill(pid, "SIGSTOP");
    for (let look = 0; look < 5; look++) forwarder.pool.tick();
    const letGo = await joined(forwarder, accepted);
    const leaving = await joined(forwarder, accepted);
    await until(() => forwarder.relays.size === 3);
    [...forwarder.relays].find((relay) => !before.has(relay))?.destroy();
    leaving.player.destroy();
    for (const pid of forwarder.pool.pids) process.kill(pid, "SIGCONT");
    for (const { backend } of [letGo, leaving]) {
      backend.on("error", () => undefined).on("end", () => backend.end());
      backend.resume();
    }
    await until(() => forwarder.counts.players === 1);
    inside.player.destroy();
    inside.backend.destroy();
    await until(() => forwarder.counts.players === 0 && forwarder.openFiles() === 0);
  });

  test("a process that hangs gets no more players within seconds, and is ended after half a minute", async () => {
    const { accepted, startForwarder } = await startStage();
    const forwarder = await startForwarder();
    const stuck = await joined(forwarder, accepted);
    stuck.player.resume();
    const [pid = 0] = forwarder.pool.pids;
    await until(() => forwarder.openFiles() === 0);
    process.kill(pid, "SIGSTOP");
    await until(() => readFileSync(`/proc/${pid}/stat`, "utf8").includes(") T "));
    // Messages it has sent before are received.
    await new Promise((done) => setImmediate(done));
    const look = (times: number): void => {
      for (let time = 0; time < times; time++) forwarder.pool.tick();
    };
    look(5);
    expect(forwarder.pool.takesPlayers).toBe(false);
    const next = await joined(forwarder, accepted);
    look(25);
    await until(() => stuck.player.destroyed || stuck.player.readableEnded);
    await until(() => forwarder.counts.players === 1 && forwarder.pool.takesPlayers);
    next.backend.write("still here");
    await until(() => next.player.read() !== null);
    expect(forwarder.pool.counts.byWorkers).toBe(0);
  });

  test("a process keeps to its players' share of the bandwidth; bytes beyond it wait, also over a hand-over", async () => {
    let rate = 1;
    const { accepted, startForwarder } = await startStage({ rateOf: () => rate });
    const first = await startForwarder();
    const { player, backend } = await joined(first, accepted);
    const bytes = 8 * megabyte;
    const sent = sendAll(backend, bytes);
    const read = readSlowly(player);
    await until(() => first.counts.moved.bytesDown > 0);
    await first.handOver();
    const second = await startForwarder();
    second.tick();
    expect(first.counts.moved.bytesDown + second.counts.moved.bytesDown).toBeLessThan(megabyte);
    rate = 1_000 * megabyte;
    second.tick();
    expect(await read).toBe(await sent);
  });

  test("players stay over a hand-over and are counted by the next edge, which can end them", async () => {
    const { accepted, startForwarder } = await startStage();
    const forwarder = await startForwarder();
    const { player, backend } = await joined(forwarder, accepted);
    const atPlayer = heardBy(player);
    await until(() => forwarder.openFiles() === 0);
    await forwarder.handOver();
    backend.write("between two edges");
    await until(() => atPlayer() === "between two edges");
    const next = await startForwarder();
    expect(next.counts.adopted).toEqual([
      { shield: "shield", backend: "backend", source: "127.0.0.1", isUnparsed: true },
    ]);
    await until(() => next.counts.moved.bytesDown === 17);
    player.end("bye");
    backend.end();
    backend.resume();
    await until(() => next.counts.players === 0);
    expect(next.counts.moved.bytesUp + forwarder.counts.moved.bytesUp).toBe(head.length + 3);
  });
});
