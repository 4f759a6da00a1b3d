import { connect, type Socket } from "node:net";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { addMinuteCounters, type MinuteCounters } from "@palisade/contract/edge/plain-values";
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
import type { ShieldSink } from "#src/ports.ts";
import { createDataPlane, type DataPlaneOptions } from "#src/workers/data-plane.ts";
import { allocateSharedState } from "#src/workers/shared-state.ts";
import type { EdgeWorker } from "#src/workers/worker.ts";
import { startInThisThread } from "./worker-in-this-thread.ts";

type OtherOptions = Partial<
  Pick<
    DataPlaneOptions,
    "sockets" | "isSuccessor" | "privateAllowed" | "ownAddresses" | "backendPorts"
  >
> & {
  readonly host?: string;
  readonly port?: number;
  /** The sample shield with these changes is there before the edge takes players, as after a restart. */
  readonly shield?: Partial<ShieldConfig>;
};

interface TestVerification {
  /** Secret of the table of verified players. */
  readonly secret?: Buffer;
  /** The session server that confirms accounts; without it no account can be checked. */
  readonly sessionServerUrl?: string;
  readonly bedrockLoginServiceUrl?: string;
}

/**
 * An edge's data plane on loopback, whose one worker runs in the test's own thread, and on whose clock
 * `advance` lets time pass. It checks no backends, so that these hear from players only, until the test
 * calls `checks.start()`.
 */
export async function startTestEdge(
  limits: Partial<EdgeLimits> = {},
  openFilesMax = 20_000,
  trustedProxies: readonly string[] = [],
  {
    secret = Buffer.alloc(32, 1),
    sessionServerUrl = "",
    bedrockLoginServiceUrl = "",
  }: TestVerification = {},
  relays?: DataPlaneOptions["relays"],
  { host = "127.0.0.1", port: wish = 0, shield, ...others }: OtherOptions = {},
) {
  let advancedMs = 0;
  const clock = {
    nowMs: () => Date.now() + advancedMs,
    monotonicMs: () => performance.now() + advancedMs,
  };
  let worker: EdgeWorker | undefined;
  const path = createDataPlane({
    ...clock,
    limits: { ...edgeLimits, ...limits },
    openFilesMax,
    shared: allocateSharedState({ workers: 1, verifiedSecret: secret }),
    startThread: startInThisThread(clock, (started) => (worker = started)),
    log: pino({ level: "silent" }),
    privateAllowed: true,
    allowedRanges: [],
    backendPorts: anyPort,
    ownAddresses: ["127.0.0.1"],
    trustedProxies,
    sessionServerUrl,
    bedrockLoginServiceUrl,
    relays,
    ...others,
  });
  path.prepare();
  if (shield !== undefined) path.sink.apply(sampleShield(shield));
  const { port } = await path.listen(host, wish);
  if (worker === undefined) throw new Error("no worker has started");
  const { admission, wheel, verification, tell } = worker;
  path.checks.stop();
  /** The worker has a change when the call returns. */
  const sink: ShieldSink = {
    apply(config) {
      const result = path.sink.apply(config);
      path.pool.flush();
      return result;
    },
    remove(shieldId) {
      path.sink.remove(shieldId);
      path.pool.flush();
    },
  };
  function apply(change: Partial<ShieldConfig> = {}): void {
    const result = sink.apply(sampleShield(change));
    if (!result.ok) throw new Error(result.reason);
  }
  return {
    ...path,
    port,
    sink,
    apply,
    admission,
    wheel,
    verification,
    // The worker reports first, so that nothing is missing.
    get counters() {
      tell();
      return path.counters;
    },
    get outcomes() {
      tell();
      return path.outcomes;
    },
    get logins() {
      tell();
      return path.logins;
    },
    get health() {
      tell();
      return path.health;
    },
    get metrics() {
      tell();
      return path.metrics;
    },
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
      tell();
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
