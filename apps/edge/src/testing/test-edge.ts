import { connect, type Socket } from "node:net";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { edgeLimits, type EdgeLimits } from "#src/listeners/limits.ts";
import { createPacketPath } from "#src/packet-path.ts";

/** A packet path on loopback whose deadlines pass when `skip` says so. */
export async function startTestEdge(limits: Partial<EdgeLimits> = {}, openFilesMax = 20_000) {
  let skippedMs = 0;
  const path = createPacketPath({
    limits: { ...edgeLimits, ...limits },
    openFilesMax,
    nowMs: () => Date.now() + skippedMs,
    monotonicMs: () => performance.now() + skippedMs,
    log: pino({ level: "silent" }),
    privateAllowed: true,
    allowedRanges: [],
    ownAddresses: ["127.0.0.1"],
  });
  const { port } = await path.listen("127.0.0.1", 0);
  return {
    ...path,
    port,
    apply: (change: Partial<ShieldConfig> = {}) => {
      const result = path.sink.apply(testShield(change));
      if (!result.ok) throw new Error(result.reason);
    },
    skip: (ms: number) => {
      skippedMs += ms;
    },
    connect: async (): Promise<TestPlayer> => {
      const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true, noDelay: true });
      const player = new TestPlayer(socket);
      // A connection that is shed may be reset before it is seen as open.
      await until(() => !socket.connecting, { everyMs: 1 });
      return player;
    },
  };
}

export type TestEdge = Awaited<ReturnType<typeof startTestEdge>>;

/** A raw client that keeps what it hears. */
export class TestPlayer {
  readonly socket: Socket;
  received: Buffer = Buffer.alloc(0);
  hasEnded = false;
  isClosed = false;
  wasReset = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
    });
    socket.on("end", () => {
      this.hasEnded = true;
    });
    socket.on("error", () => {
      this.wasReset = true;
    });
    socket.on("close", () => {
      this.isClosed = true;
    });
  }

  send(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Whether the edge has closed its side, or broken off. */
  get isOver(): boolean {
    return this.hasEnded || this.isClosed;
  }

  /** What was received, with everything that is no text left out. */
  get text(): string {
    return this.received.toString("utf8").replace(/[^\x20-\x7e§]/g, "");
  }
}

const id = (n: number): string => `0190a000-0000-7000-8000-${String(n).padStart(12, "0")}`;

export const shieldId = id(1);

export function testBackend(port: number, n = 1) {
  return { id: id(100 + n), host: "127.0.0.1", port };
}

export function testGroup(...backends: ReturnType<typeof testBackend>[]) {
  return {
    id: id(50),
    name: "Main",
    default: true,
    balancing: "round_robin" as const,
    proxy_protocol: false,
    backends,
  };
}

/** An active shield of play.example.org. */
export function testShield(change: Partial<ShieldConfig> = {}): ShieldConfig {
  return {
    schema: 1,
    shield_id: shieldId,
    revision: 1,
    status: "active",
    label: "abcdefghijkl.gs.localhost",
    domains: [{ name: "play.example.org", proven: true, claimed_at: "2026-01-01T00:00:00.000Z" }],
    groups: [testGroup()],
    lists: {
      blacklist_enabled: true,
      whitelist_enabled: false,
      whitelist_only: false,
      blacklist: [],
      whitelist: [],
    },
    messages: {
      blacklist: "§cBlacklisted, {player} {trace}",
      whitelist: "Maintenance",
      offline_kick: "Offline {player}",
      offline_version: "Offline",
      offline_motd: ["§cThe server", "is down"],
    },
    status_cache: { fresh_ms: 5_000, stale_ms: 60_000 },
    ...change,
  };
}
