import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { closeDescriptor } from "@palisade/sockets/descriptors";
import { SocketAddresses } from "@palisade/sockets/socket-address";
import { acceptTcp, boundAddress, listenTcp } from "@palisade/sockets/tcp";
import { UnixChannel } from "@palisade/sockets/unix-channel";
import { connectUnix } from "@palisade/sockets/unix-listener";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ListeningSocket, ListeningSockets } from "#src/workers/listening-sockets.ts";
import { SocketHolderProcess } from "./socket-holder-process.ts";

/** The process that holds listening sockets, with edges that open, adopt and close them. */

const stops: (() => unknown)[] = [];
let folder: string;

beforeEach(async () => {
  const created = await createTemporaryFolder("sockets");
  folder = created.path;
  stops.push(created.remove);
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** Process ids of holders in the test's folder; their title hides their arguments. */
function holders(): number[] {
  const pids = readdirSync("/proc").map(Number).filter(Boolean);
  return pids.filter((pid) => {
    try {
      const isHolder = readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("palisade-sockets");
      return isHolder && readFileSync(`/proc/${pid}/environ`, "utf8").includes(folder);
    } catch {
      // It has just ended.
      return false;
    }
  });
}

const onlyHolder = (): Promise<number> =>
  until(
    () => {
      const [pid, ...others] = holders();
      return others.length === 0 ? pid : undefined;
    },
    { what: "one holder" },
  );

interface EdgeOptions {
  readonly isSuccessor?: boolean;
  readonly patienceMs?: number;
  readonly lifeline?: number;
}

/** The sockets of one edge. */
function createEdge({ isSuccessor = false, patienceMs, lifeline }: EdgeOptions = {}) {
  process.env["PALISADE_TEST_FOLDER"] = folder;
  const holder = new SocketHolderProcess({
    folder,
    lifeline,
    log: pino({ level: "silent" }),
    ...(patienceMs !== undefined && { patienceMs }),
  });
  const sockets = new ListeningSockets(holder, isSuccessor);
  /** As after a kill -9: nothing is said, and only the kernel closes its descriptors. */
  const vanish = async (): Promise<void> => {
    sockets.release();
    await sockets.stop();
  };
  return { sockets, vanish };
}

async function startEdge(options: EdgeOptions = {}, port = 0) {
  const edge = createEdge(options);
  await edge.sockets.adopt();
  const socket = edge.sockets.open({ ip: "127.0.0.1", port });
  await edge.sockets.serve();
  return { ...edge, socket, port: socket.address.port };
}

async function connection(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  stops.push(() => socket.destroy());
  socket.on("error", () => undefined);
  await until(() => !socket.connecting);
  return socket;
}

const isRefused = async (port: number): Promise<boolean> => {
  const socket = await connection(port);
  await until(() => socket.closed || socket.readyState === "open");
  return socket.closed;
};

const peer = new SocketAddresses();

/** Accepts all that wait. @returns their number */
function acceptAll({ fd }: ListeningSocket): number {
  let count = 0;
  for (let accepted = acceptTcp(fd, peer); accepted >= 0; accepted = acceptTcp(fd, peer)) {
    closeDescriptor(accepted);
    count++;
  }
  return count;
}

const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

describe("the ports of an edge", () => {
  test("stay open when it is gone: connections wait, and the next edge accepts all of them", async () => {
    const first = await startEdge();
    await first.vanish();
    const players = await Promise.all(Array.from({ length: 50 }, () => connection(first.port)));
    expect(players.filter(({ closed }) => closed)).toEqual([]);
    const second = await startEdge({}, first.port);
    stops.push(() => second.sockets.stop());
    expect(acceptAll(second.socket)).toBe(50);
    expect(holders()).toHaveLength(1);
  });

  test("are served by predecessor and successor at once, and stay open when the successor does not start", async () => {
    const predecessor = await startEdge();
    stops.push(() => predecessor.sockets.stop());
    for (const _ of [1, 2]) {
      const successor = createEdge({ isSuccessor: true });
      await successor.sockets.adopt();
      const shared = successor.sockets.open(predecessor.socket.address);
      await connection(predecessor.port);
      expect(acceptAll(shared)).toBe(1);
      // It has not taken over, so its end closes no port.
      await successor.sockets.stop();
      await connection(predecessor.port);
      expect(acceptAll(predecessor.socket)).toBe(1);
    }
  });

  test("close at once when it stops, and no process is left", async () => {
    const edge = await startEdge();
    const pid = await onlyHolder();
    await edge.sockets.stop();
    expect(await isRefused(edge.port)).toBe(true);
    const other = createServer().listen(edge.port, "127.0.0.1");
    await once(other, "listening");
    stops.push(() => other.close());
    await until(() => !holders().includes(pid));
  });

  test("close for its predecessor and the holder as well, with what waits there", async () => {
    const predecessor = await startEdge();
    stops.push(() => predecessor.sockets.stop());
    const successor = await startEdge({ isSuccessor: true }, predecessor.port);
    stops.push(() => successor.sockets.stop());
    const waiting = await connection(predecessor.port);
    successor.sockets.close(successor.socket, Promise.resolve());
    await until(() => waiting.closed);
    expect(await isRefused(predecessor.port)).toBe(true);
  });

  test("close once the next edge accepts players and does not want them, and not before", async () => {
    const first = await startEdge();
    const other = first.sockets.open({ ip: "127.0.0.1", port: 0 });
    await first.sockets.serve();
    const { port } = other.address;
    await first.vanish();
    const second = createEdge();
    await second.sockets.adopt();
    second.sockets.open(first.socket.address);
    expect(await isRefused(port)).toBe(false);
    await second.sockets.serve();
    stops.push(() => second.sockets.stop());
    expect(await isRefused(port)).toBe(true);
    expect(await isRefused(first.port)).toBe(false);
  });

  test("are an error at once if another program has them, even one that would share them", async () => {
    const other = createServer();
    other.listen({ port: 0, host: "127.0.0.1", reusePort: true });
    await once(other, "listening");
    stops.push(() => other.close());
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const edge = createEdge();
    stops.push(() => edge.sockets.stop());
    expect(() => edge.sockets.open({ ip: "127.0.0.1", port })).toThrow("EADDRINUSE");
  });

  test("are opened beside a predecessor of a release that shares its ports, and shared with no program afterwards", async () => {
    const earlier = [1, 2].map(() =>
      listenTcp({ ip: "127.0.0.1", port: 0, backlog: 8, reusePort: true }),
    );
    stops.push(() => earlier.forEach(closeDescriptor));
    const [first, second] = earlier.map((fd) => boundAddress(fd));
    if (first === undefined || second === undefined) throw new Error("no addresses");
    const successor = await startEdge({ isSuccessor: true }, first.port);
    stops.push(() => successor.sockets.stop());
    successor.sockets.takeOver();
    expect(() => successor.sockets.open(second)).toThrow("EADDRINUSE");
  });

  test("may be hundreds, and neither edge nor holder leaks a descriptor", async () => {
    const first = await startEdge();
    const holder = await onlyHolder();
    const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
    const [ownBefore, holderBefore] = [openDescriptors(), filesOf(holder)];
    const many = Array.from({ length: 400 }, () =>
      first.sockets.open({ ip: "127.0.0.1", port: 0 }),
    );
    await first.sockets.serve();
    expect([openDescriptors(), filesOf(holder)]).toEqual([ownBefore + 400, holderBefore + 400]);
    await first.vanish();
    const second = await startEdge({}, first.port);
    stops.push(() => second.sockets.stop());
    expect(await isRefused(many[0]?.address.port ?? 0)).toBe(true);
    await until(() => filesOf(holder) === holderBefore);
    expect(openDescriptors()).toBe(ownBefore);
  });
});

describe("the holder", () => {
  test("is replaced when it is killed, and the next edge still finds the sockets", async () => {
    const first = await startEdge();
    const killed = await onlyHolder();
    process.kill(killed, "SIGKILL");
    await until(() => {
      // One look: between two, the killed one may end and leave none.
      const [pid, ...others] = holders();
      return pid !== undefined && pid !== killed && others.length === 0;
    });
    // It answers once it has the sockets.
    await first.sockets.serve();
    await first.vanish();
    expect(await isRefused(first.port)).toBe(false);
    const second = await startEdge({}, first.port);
    stops.push(() => second.sockets.stop());
    expect(acceptAll(second.socket)).toBe(1);
  });

  test("that hangs is killed, and the edge opens its ports itself", async () => {
    const first = await startEdge();
    const hung = await onlyHolder();
    process.kill(hung, "SIGSTOP");
    await first.vanish();
    const second = await startEdge({}, first.port);
    stops.push(() => second.sockets.stop());
    expect(await isRefused(first.port)).toBe(false);
    expect(await onlyHolder()).not.toBe(hung);
  });

  test("ends when no edge has accepted players for its patience, and its ports close", async () => {
    const edge = await startEdge({ patienceMs: 100 });
    const pid = await onlyHolder();
    await edge.vanish();
    await until(() => isRefused(edge.port));
    expect(holders()).not.toContain(pid);
  });

  test("ends with its lifeline", async () => {
    const end = spawn("sleep", ["1000"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    const lifeline = end.stdio[3];
    if (!(lifeline && "_handle" in lifeline)) throw new Error("no lifeline");
    const { fd } = lifeline._handle as { readonly fd: number };
    const edge = await startEdge({ lifeline: fd });
    const pid = await onlyHolder();
    end.kill("SIGKILL");
    await until(() => !holders().includes(pid));
    await edge.vanish();
  });

  test("ends when it hears another protocol, and the edge opens its ports itself", async () => {
    const first = await startEdge();
    const pid = await onlyHolder();
    await first.vanish();
    const stranger = new UnixChannel(connectUnix(`${folder}/listening.sock`), 64);
    stranger.send(Buffer.from('{"protocol":999}'));
    await until(() => isRefused(first.port));
    expect(holders()).not.toContain(pid);
    stranger.close();
    const second = await startEdge({}, first.port);
    stops.push(() => second.sockets.stop());
    expect(await isRefused(first.port)).toBe(false);
  });
});
