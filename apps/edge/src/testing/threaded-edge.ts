import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { anyPort } from "./any-port.ts";
import { allocateSharedState, createThreadClock } from "#src/workers/shared-state.ts";
import type { ToWorker } from "#src/workers/thread-messages.ts";
import { createDataPlane, type DataPlaneOptions } from "#src/workers/data-plane.ts";
import { threadStarter, type WorkerThread } from "#src/workers/worker-thread.ts";
import { BanTable } from "#src/firewall/ban-table.ts";
import { edgeLimits, type EdgeLimits } from "#src/admission/limits.ts";
import { TestPlayer, testShield } from "./test-edge.ts";

export interface ThreadedEdgeOptions {
  readonly workers: number;
  readonly limits?: Partial<EdgeLimits>;
  readonly port?: number;
  readonly sockets?: DataPlaneOptions["sockets"];
}

const workerProgram = new URL("blockable-worker.ts", import.meta.url);

/** A packet path of several threads, with relay processes, on loopback. */
export async function startThreadedEdge({
  workers,
  limits,
  port: wish = 0,
  sockets,
}: ThreadedEdgeOptions) {
  const folder = await mkdtemp(join(tmpdir(), "palisade-relays-"));
  const shared = allocateSharedState({ workers, verifiedSecret: new Uint8Array(32) });
  const path = createDataPlane({
    limits: { ...edgeLimits, ...limits },
    openFilesMax: 20_000,
    nowMs: () => Date.now(),
    monotonicMs: createThreadClock(),
    log: pino({ level: "silent" }),
    privateAllowed: true,
    allowedRanges: [],
    backendPorts: anyPort,
    ownAddresses: ["127.0.0.1"],
    trustedProxies: [],
    sessionServerUrl: "",
    bedrockLoginServiceUrl: "",
    shared,
    startThread: threadStarter(workers, workerProgram),
    relays: { folder, lifeline: undefined },
    ...(sockets && { sockets }),
  });
  path.prepare();
  const stop = async (): Promise<void> => {
    await path.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const { port } = await path.listen("127.0.0.1", wish).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    ...path,
    port,
    stop,
    /** It hangs for good. */
    block(thread: WorkerThread): void {
      // Not one of the program's own messages.
      thread.post({ kind: "block" } as unknown as ToWorker);
    },
    /** The table of bans, written by one thread and read by all. */
    bans: new BanTable(shared.bans),
    async apply(change: Partial<ShieldConfig> = {}): Promise<void> {
      const result = path.sink.apply(testShield(change));
      if (!result.ok) throw new Error(result.reason);
      await path.served();
    },
    /** @param from the player's address, on loopback */
    async connect(from = "127.0.0.1", to = port): Promise<TestPlayer> {
      const ends = { host: "127.0.0.1", port: to, localAddress: from };
      const socket = connect({ ...ends, allowHalfOpen: true, noDelay: true });
      const player = new TestPlayer(socket);
      await until(() => !socket.connecting, { everyMs: 1 });
      return player;
    },
  };
}

export type ThreadedEdge = Awaited<ReturnType<typeof startThreadedEdge>>;

export function loginOf(name: string): Buffer {
  return Buffer.concat([
    encodeHandshake({ protocol: 758, host: "play.example.org", port: 1, intent: "login" }),
    encodeLoginStart(name),
  ]);
}
