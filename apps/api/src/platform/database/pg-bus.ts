import { sql } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import type { Bus } from "./bus.ts";

interface Subscription {
  readonly channel: string;
  readonly onMessage: (payload: string) => void;
  readonly onReconnect: (() => void) | undefined;
}

export interface PgBus extends Bus {
  /** Connects; later losses are mended in the background. */
  start(): Promise<void>;
  stop(): Promise<void>;
  connected(): boolean;
}

const retryMsMin = 100;
const retryMsMax = 5_000;
/** A half-open connection delivers nothing and says nothing: ask it now and then. */
const probeMs = 10_000;

export function createPgBus(options: { readonly url: string; readonly log: Logger }): PgBus {
  const { log } = options;
  const subscriptions = new Set<Subscription>();
  let client: pg.Client | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let retryMs = retryMsMin;
  let turn: Promise<unknown> = Promise.resolve();

  /** One statement after the other: a connection takes the next only when it has answered. */
  function say(target: pg.Client, statement: string): Promise<unknown> {
    const answer = turn.then(() => target.query(statement));
    turn = answer.catch(() => undefined);
    return answer;
  }

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: options.url,
      application_name: "palisade-api-bus",
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    // Also covers the failed attempt: an 'error' without a listener ends the process.
    fresh.on("error", () => lose(fresh));
    fresh.on("end", () => lose(fresh));
    fresh.on("notification", ({ channel, payload }) => {
      for (const subscription of subscriptions) {
        if (subscription.channel === channel) subscription.onMessage(payload ?? "");
      }
    });
    try {
      await fresh.connect();
      for (const channel of new Set([...subscriptions].map((each) => each.channel))) {
        await say(fresh, `listen ${pg.escapeIdentifier(channel)}`);
      }
    } catch (error) {
      fresh.end().catch(() => undefined);
      throw error;
    }
    if (stopped) return fresh.end();
    client = fresh;
    retryMs = retryMsMin;
    probe(fresh);
    for (const subscription of subscriptions) subscription.onReconnect?.();
  }

  function lose(lost: pg.Client): void {
    if (client !== lost) return;
    client = undefined;
    lost.end().catch(() => undefined);
    if (stopped) return;
    log.warn("The notification connection was lost; reconnecting");
    reconnectLater();
  }

  function reconnectLater(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      connect().catch((error: unknown) => {
        log.debug({ err: error }, "The notification connection is not back yet");
        retryMs = Math.min(retryMs * 2, retryMsMax);
        if (!stopped) reconnectLater();
      });
    }, retryMs);
  }

  function probe(current: pg.Client): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      say(current, "select 1").then(
        () => {
          if (client === current) probe(current);
        },
        () => lose(current),
      );
    }, probeMs);
  }

  return {
    start: connect,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
    connected: () => client !== undefined,
    async listen(channel, onMessage, onReconnect) {
      const subscription = { channel, onMessage, onReconnect };
      subscriptions.add(subscription);
      // Without a connection the next one listens to it.
      const current = client;
      if (current !== undefined) {
        await say(current, `listen ${pg.escapeIdentifier(channel)}`).catch(() => lose(current));
      }
      return () => {
        subscriptions.delete(subscription);
        const isUnused = [...subscriptions].every((each) => each.channel !== channel);
        if (!isUnused || client === undefined) return;
        say(client, `unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
      };
    },
    async notify(executor, channel, payload) {
      await sql`select pg_notify(${channel}, ${payload})`.execute(executor);
    },
  };
}
