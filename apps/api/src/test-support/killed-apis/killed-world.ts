import { setTimeout as delay } from "node:timers/promises";
import { CallError, createClient, type Client } from "@palisade/contract/http/client";
import { createDatabaseOn } from "@palisade/testing/test-database";
import { provideDatabaseServer } from "@palisade/testing/database-server";
import { createFakeClock } from "@palisade/testing/fake-clock";
import { startPaypalServer, type PaypalServer } from "@palisade/testing/paypal-server";
import type { StripeEvent } from "@palisade/testing/stripe/objects";
import { startStripeServer, type StripeServer } from "@palisade/testing/stripe/stripe-server";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { pino } from "pino";
import { createDb, type Db } from "#src/platform/database/db.ts";
import { migrate } from "#src/platform/database/migrate.ts";
import { createPgBus } from "#src/platform/database/pg-bus.ts";
import { createJobRunner } from "#src/platform/jobs/pg-boss-jobs.ts";
import { startApiProcess, type ApiProcess } from "../api-process.ts";
import { createTestApp } from "../test-app.ts";
import { enrolEdge } from "../test-shields.ts";
import { createStaff, type UserStore } from "../test-users.ts";

/** Api processes on one database, with the stand-ins of Stripe and PayPal. */
export interface KilledWorld {
  readonly db: Db;
  readonly stripe: StripeServer;
  readonly paypal: PaypalServer;
  readonly staffId: string;
  /** For people who are made in the database. */
  readonly asStore: UserStore;
  /** Events of PayPal that were delivered so far. */
  paypalDelivered: number;
  /** These two live on. */
  readonly first: ApiProcess;
  readonly other: ApiProcess;
  /** This one dies at one of its failpoints; undefined while the next one starts. */
  dying: ApiProcess | undefined;
  /** The time of the api processes. */
  now(): Date;
  /** Moves their clock ahead. */
  advance(ms: number): Promise<void>;
  /** Sends a job to whichever process takes it. */
  send(job: string, times?: number): Promise<void>;
  start(failpoints?: readonly string[]): Promise<ApiProcess>;
  /** Events of Stripe that are not delivered yet. */
  readonly queued: StripeEvent[];
  close(): Promise<void>;
}

export async function createKilledWorld(): Promise<KilledWorld> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    return await open(closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<KilledWorld> {
  const home = await createTemporaryFolder("killed");
  closers.push(() => home.remove());
  const server = await provideDatabaseServer(undefined);
  closers.push(() => server.close());
  const database = await createDatabaseOn(server, {
    template: "killed",
    prepare: ({ ownerUrl, runtimeUrl }) => migrate({ ownerUrl, runtimeUrl, log: () => undefined }),
  });
  // Only to register staff and an edge: it knows no provider, so it is closed before the first payment.
  const testApp = await createTestApp({ database, clock: createFakeClock(new Date()) });
  const staff = await createStaff(testApp);
  await enrolEdge(testApp, staff, { name: "one" });
  await testApp.close();

  let offsetMs = 0;
  const now = (): Date => new Date(Date.now() + offsetMs);
  const stripe = await startStripeServer({ now });
  closers.push(() => stripe.close());
  const paypal = await startPaypalServer({ now });
  closers.push(() => paypal.close());
  const queued: StripeEvent[] = [];
  stripe.state.onEvent((event) => void queued.push(event));
  paypal.webhooks.hold();

  const url = database.runtimeUrl;
  const log = pino({ level: "silent" });
  const onConnectionError = (): void => undefined;
  const db = createDb({ url, connectionsMax: 3, statementTimeoutMs: 30_000, onConnectionError });
  closers.push(() => db.destroy());
  const bus = createPgBus({ url, log });
  closers.push(() => bus.stop());
  await bus.start();
  const jobs = createJobRunner({ url, bus, log });
  closers.push(() => jobs.stop());
  await jobs.start([]);

  const settings = {
    PALISADE_HOME: home.path,
    DATABASE_URL: url,
    // Stripe refuses an order that another process repeats with other return addresses.
    PALISADE_PUBLIC_URL: "https://console.palisade.example",
    PALISADE_PAYPAL_CLIENT_ID: paypal.clientId,
    PALISADE_PAYPAL_SECRET: paypal.secret,
    PALISADE_PAYPAL_MERCHANT_ID: paypal.merchantId,
    PALISADE_PAYPAL_WEBHOOK_ID: paypal.webhookId,
    PALISADE_PAYPAL_API_URL: paypal.url,
    PALISADE_STRIPE_SECRET_KEY: stripe.secretKey,
    PALISADE_STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    PALISADE_STRIPE_API_URL: stripe.apiUrl,
    // Modules are compiled once for all the processes of a run.
    NODE_COMPILE_CACHE: `${home.path}/compiled`,
  };
  const start = async (failpoints: readonly string[] = []): Promise<ApiProcess> => {
    const api = await startApiProcess(settings, failpoints);
    closers.push(async () => {
      api.kill();
      await api.exited;
    });
    return api;
  };
  const first = await start();
  return {
    db,
    stripe,
    paypal,
    staffId: staff.id,
    asStore: { platform: { db }, clock: { now } },
    paypalDelivered: 0,
    first,
    other: await start(),
    dying: undefined,
    now,
    async advance(ms) {
      const answer = await fetch(`${first.url}/dev/clock`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ advance_seconds: Math.ceil(ms / 1_000) }),
      });
      if (!answer.ok) throw new Error(`The clock did not move: ${answer.status}`);
      const moved = (await answer.json()) as { now: string };
      offsetMs = Date.parse(moved.now) - Date.now();
    },
    async send(job, times = 1) {
      for (let time = 0; time < times; time += 1) {
        await db.transaction().execute((trx) => jobs.send(trx, job, {}));
      }
    },
    start,
    queued,
    close,
  };
}

export function clientOf({ url }: ApiProcess, token: string): Client {
  return createClient({ baseUrl: url, headers: () => ({ authorization: `Bearer ${token}` }) });
}

const capMs = 60_000;
const retryDelayMs = { first: 50, longest: 1_000 };

/**
 * Calls an api, and the next one while there is no answer, as a caller does who lost the connection.
 *
 * @throws an answer that is no reason to try again
 */
export async function insist<T>(
  clients: readonly Client[],
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + capMs;
  for (let attempt = 0; ; attempt += 1) {
    const client = clients[attempt % clients.length];
    if (client === undefined) throw new Error("There is no api to call");
    try {
      return await work(client);
    } catch (error) {
      const isLost =
        error instanceof CallError &&
        (error.status === 0 ||
          error.status >= 502 ||
          error.problem?.code === "idempotency_in_progress");
      if (!isLost || performance.now() > deadline) throw error;
    }
    // The api counts every attempt, and answers 429 to a caller that tries too often.
    await delay(Math.min(retryDelayMs.first * 2 ** attempt, retryDelayMs.longest));
  }
}
