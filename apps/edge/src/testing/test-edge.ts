import { connect, type Socket } from "node:net";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { addMinuteCounters, type MinuteCounters } from "@palisade/contract/edge/telemetry";
import {
  sampleBackend,
  sampleGroup,
  sampleShield,
  sampleShieldId,
} from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { anyPort } from "./any-port.ts";
import { edgeLimits, type EdgeLimits } from "#src/admission/limits.ts";
import {
  createSingleThreadDataPlane,
  type SingleThreadDataPlaneOptions,
} from "#src/workers/single-thread-data-plane.ts";

interface TestPorts extends Pick<SingleThreadDataPlaneOptions, "sockets" | "isSuccessor"> {
  readonly port?: number;
}

/**
 * A packet path on loopback on whose clock `advance` lets time pass. It checks no backends, so
 * that these hear from players only, until the test calls `checks.start()`.
 */
export async function startTestEdge(
  limits: Partial<EdgeLimits> = {},
  openFilesMax = 20_000,
  trustedProxies: readonly string[] = [],
  verification?: SingleThreadDataPlaneOptions["verification"],
  relays?: SingleThreadDataPlaneOptions["relays"],
  { port: wish = 0, ...ports }: TestPorts = {},
) {
  let advancedMs = 0;
  const path = createSingleThreadDataPlane({
    limits: { ...edgeLimits, ...limits },
    openFilesMax,
    nowMs: () => Date.now() + advancedMs,
    monotonicMs: () => performance.now() + advancedMs,
    log: pino({ level: "silent" }),
    privateAllowed: true,
    allowedRanges: [],
    backendPorts: anyPort,
    ownAddresses: ["127.0.0.1"],
    trustedProxies,
    verification,
    relays,
    ...ports,
  });
  const { port } = await path.listen("127.0.0.1", wish);
  path.checks.stop();
  function apply(change: Partial<ShieldConfig> = {}): void {
    const result = path.sink.apply(sampleShield(change));
    if (!result.ok) throw new Error(result.reason);
  }
  return {
    ...path,
    port,
    apply,
    /** The sample shield in front of these groups, with these changes. */
    protect: (
      groups: ShieldConfig["groups"],
      mitigation: Partial<ShieldConfig["mitigation"]> = {},
      lists: Partial<ShieldConfig["lists"]> = {},
    ) => {
      const sample = sampleShield();
      apply({
        groups,
        mitigation: { ...sample.mitigation, ...mitigation },
        lists: { ...sample.lists, ...lists },
      });
    },
    advance: (ms: number) => {
      advancedMs += ms;
      // Real seconds would be waited for otherwise.
      path.checks.tick();
    },
    /** The counters of the sample shield since the last call; a minute may end in between. */
    counted: (): MinuteCounters | undefined => {
      const [first, ...others] = path.counters.drain(Date.now()).minutes;
      return first && others.reduce(addMinuteCounters, first);
    },
    /** @param to another port of the edge's @param from the player's address, on loopback */
    connect: async (to = port, from = "127.0.0.1"): Promise<TestPlayer> => {
      const ends = { host: "127.0.0.1", port: to, localAddress: from };
      const socket = connect({ ...ends, allowHalfOpen: true, noDelay: true });
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

  /** Whether the edge has closed its side or reset the connection. */
  get isOver(): boolean {
    return this.hasEnded || this.isClosed;
  }

  /** The received bytes as text, without anything that is no text. */
  get text(): string {
    return this.received.toString("utf8").replace(/[^\x20-\x7e§]/g, "");
  }
}

export {
  sampleBackend as testBackend,
  sampleGroup as testGroup,
  sampleShield as testShield,
  sampleShieldId as shieldId,
};
