import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import type { ProbeRequest } from "@palisade/contract/edge/probe";
import { heartbeatMs } from "@palisade/contract/edge/stream";
import { createClient, type Client } from "@palisade/contract/http/client";
import { apiBase } from "./api-base.ts";
import { createAckSender } from "./ack-sender.ts";
import { createBackoff } from "./backoff.ts";
import type { ConfigConsumer } from "./config-consumer.ts";
import { createConfigState } from "./config-state.ts";
import type { Credential } from "./credential.ts";
import { createLastGoodStore } from "./last-good-store.ts";
import { createLastGoodWriter } from "./last-good-writer.ts";
import type { Failpoint } from "./failpoint.ts";
import type { Log } from "./log.ts";
import type { ParsedLine } from "./stream-line-parser.ts";
import { sleep } from "./sleep.ts";
import { openStream, StreamRefused } from "./stream-connection.ts";

export interface ConfigClientOptions<T, Z> {
  readonly apiUrl: string;
  /** The version of the program that this client is part of. */
  readonly programVersion: string;
  /** Folder of the last good copy. */
  readonly folder: string;
  readonly consumer: ConfigConsumer<T, Z>;
  /** Must not wait or throw: it runs while the stream is read. */
  readonly onProbe?: (request: ProbeRequest) => void;
  /** Must not wait or throw. */
  readonly onFleet?: (addresses: readonly string[]) => void;
  readonly log: Log;
  readonly fetch?: typeof globalThis.fetch;
  readonly timing?: Partial<ConfigClientTiming>;
  readonly lineBytesMax?: number;
  readonly failpoint?: Failpoint;
  /** The control plane refuses the credential. @returns whether there is another one to try now */
  readonly onRefused?: (credential: Credential) => Promise<boolean>;
}

export interface ConfigClientTiming {
  /** A connection without data for this long is closed: three heartbeats. */
  readonly silenceMsMax: number;
  readonly retry: { readonly baseMs: number; readonly capMs: number };
  /** After a connection that lasted this long, the next retry is quick again. */
  readonly stableMs: number;
  /** Pause after the credential or the schema was refused. */
  readonly refusedRetryMs: number;
}

const defaultTiming: ConfigClientTiming = {
  silenceMsMax: 3 * heartbeatMs,
  retry: { baseMs: 200, capMs: 10_000 },
  stableMs: 2 * heartbeatMs,
  refusedRetryMs: 300_000,
};

export type ConnectionState = "connecting" | "streaming" | "refused" | "stopped";

export interface ConfigClient {
  /** Applies the last good copy from disk; call it before listening. */
  load(): Promise<{ readonly version: number; readonly shields: number }>;
  /** Follows the control plane until `stop`. */
  start(credential: Credential): void;
  /** Resolves when the newest version of the control plane serves. */
  readonly synchronised: Promise<void>;
  stop(): Promise<void>;
  stats(): {
    readonly connection: ConnectionState;
    readonly version: number;
    readonly shields: number;
    readonly refused: number;
    readonly acks_pending: number;
    /** When the control plane last named the version that serves as its newest, on the monotonic clock. */
    readonly confirmed_at_ms: number | null;
  };
}

/** The contract's client with the given credential. */
export function createControlClient(
  apiUrl: string,
  credential: Credential,
  fetch?: typeof globalThis.fetch,
): Client {
  return createClient({
    baseUrl: apiBase(apiUrl),
    headers: () => ({ authorization: `Bearer ${credential.credential}` }),
    ...(fetch ? { fetch } : {}),
  });
}

/**
 * Follows the control plane's configuration, and keeps the last good one while it cannot: no failure
 * here ever takes a configuration out of service.
 */
export function createConfigClient<T, Z>(options: ConfigClientOptions<T, Z>): ConfigClient {
  const { apiUrl, log, consumer } = options;
  const timing = { ...defaultTiming, ...options.timing };
  const ending = new AbortController();
  const { signal } = ending;
  const store = createLastGoodStore(options.folder, options.failpoint);
  const acks = createAckSender({
    version: () => (isConfirmed ? servedVersion : 0),
    log,
    signal,
    retry: timing.retry,
    refusedRetryMs: timing.refusedRetryMs,
  });
  const state = createConfigState({
    consumer,
    writer: createLastGoodWriter(store, log),
    acknowledge: (ack) => acks.add(ack),
    log,
  });
  let connection: ConnectionState = "connecting";
  /** Whether the control plane of this connection has named the version that serves. */
  let isConfirmed = false;
  let servedVersion = 0;
  let confirmedAtMs: number | null = null;
  let connections = 0;
  let running: Promise<void> = Promise.resolve();
  const synchronised = Promise.withResolvers<void>();

  async function follow(credential: Credential): Promise<void> {
    state.connected(credential.edge_id);
    const stream = openStream({
      apiUrl,
      credential: credential.credential,
      since: state.since(),
      origin: state.origin(),
      schema: configSchemaVersion,
      programVersion: options.programVersion,
      silenceMsMax: timing.silenceMsMax,
      signal,
      ...(options.fetch ? { fetch: options.fetch } : {}),
      ...(options.lineBytesMax === undefined ? {} : { lineBytesMax: options.lineBytesMax }),
    });
    let lines = 0;
    let confirmedLine = 0;
    for await (const line of stream) {
      connection = "streaming";
      if (line.kind === "probe") {
        options.onProbe?.(line.probe);
        continue;
      }
      if (line.kind === "fleet") {
        options.onFleet?.(line.addresses);
        continue;
      }
      if ((await state.receive(line)) === "reconnect") return;
      const version = state.since();
      if (!isCurrent(line, version)) continue;
      const current = connections;
      const number = ++lines;
      const confirm = (): void => {
        // A later connection confirms by itself, and a later line may have confirmed already.
        if (current !== connections || number < confirmedLine) return;
        confirmedLine = number;
        confirmed(version);
      };
      if (consumer.served === undefined) confirm();
      else void consumer.served().then(confirm);
    }
  }

  function confirmed(version: number): void {
    servedVersion = version;
    isConfirmed = true;
    confirmedAtMs = performance.now();
    acks.reportVersion();
    synchronised.resolve();
  }

  async function run(credential: Credential): Promise<void> {
    const backoff = createBackoff(timing.retry);
    while (!signal.aborted) {
      const before = connection;
      const began = performance.now();
      let failure: unknown = null;
      await follow(credential).catch((error: unknown) => {
        failure = error;
      });
      state.disconnected();
      isConfirmed = false;
      connections++;
      acks.resetReportedVersion();
      if (signal.aborted) break;
      if (isRefusal(failure)) {
        if ((await options.onRefused?.(credential)) === true) continue;
        if (before !== "refused") {
          log.error(
            { status: failure.status, reason: failure.reason },
            "the control plane refuses this credential; the last good configuration keeps serving",
          );
        }
        connection = "refused";
        await sleep(timing.refusedRetryMs, signal);
        continue;
      }
      if (connection === "streaming") log.warn({ err: failure }, "configuration stream ended");
      connection = "connecting";
      if (performance.now() - began >= timing.stableMs) backoff.reset();
      await sleep(backoff.next(), signal);
    }
    connection = "stopped";
  }

  return {
    async load() {
      state.restored(await store.load((record) => state.restoreRecord(record)));
      return state.stats();
    },
    start(credential) {
      acks.start(createControlClient(apiUrl, credential, options.fetch));
      running = run(credential);
    },
    synchronised: synchronised.promise,
    async stop() {
      ending.abort();
      await running;
    },
    stats: () => ({
      connection,
      ...state.stats(),
      acks_pending: acks.pending(),
      confirmed_at_ms: confirmedAtMs,
    }),
  };
}

/** Whether the line states the control plane's version, and that version serves. */
function isCurrent(line: ParsedLine, version: number): boolean {
  const states = line.kind === "snapshot_end" || line.kind === "delta" || line.kind === "heartbeat";
  return states && line.version === version;
}

/** Answers that a quick retry cannot change: revoked (401) or too old (409). */
function isRefusal(error: unknown): error is StreamRefused {
  return error instanceof StreamRefused && (error.status === 401 || error.status === 409);
}
