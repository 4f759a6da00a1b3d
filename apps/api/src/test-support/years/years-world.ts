import { createDatabaseOn } from "@palisade/testing/test-database";
import { provideDatabaseServer } from "@palisade/testing/database-server";
import { createFakeClock } from "@palisade/testing/fake-clock";
import { seededRandom } from "@palisade/testing/seeded-random";
import type { StripeEvent } from "@palisade/testing/stripe/objects";
import { startStripeServer, type StripeServer } from "@palisade/testing/stripe/stripe-server";
import pg from "pg";
import { migrate } from "#src/platform/database/migrate.ts";
import { createTestApp, type TestApp } from "../test-app.ts";
import { stopSchedules } from "../test-renewals.ts";
import { enrolEdge } from "../test-shields.ts";
import { deliver, stripeConfig } from "../test-stripe.ts";
import { createStaff } from "../test-users.ts";

export interface Plan {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly cents: number;
}

/** An api with a clock that a simulation moves, and the stand-in of Stripe. */
export interface YearsWorld {
  readonly testApp: TestApp;
  readonly stripe: StripeServer;
  readonly plans: readonly Plan[];
  readonly supportPlans: readonly Plan[];
  readonly staffId: string;
  /** Whole numbers from 0 to below a bound. */
  readonly random: (below: number) => number;
  /** How often each kind of thing has happened. */
  readonly counts: Map<string, number>;
  readonly count: (kind: string, times?: number) => void;
  /** Events that were delivered and are not yet processed. */
  readonly underWay: Set<string>;
  /** Delivers the events of these types that `work` causes. */
  delivering(types: RegExp, work: () => void): Promise<void>;
  close(): Promise<void>;
}

/** Dates are reckoned in UTC: neither the time zone of the database nor that of the process matters. */
const timeZone = "Europe/Berlin";
const begin = new Date("2027-11-24T00:00:00Z");

export async function createYearsWorld(seed: number): Promise<YearsWorld> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    return await open(seed, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  seed: number,
  closers: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<YearsWorld> {
  const server = await provideDatabaseServer(undefined);
  closers.push(() => server.close());
  const database = await createDatabaseOn(server, {
    template: "years",
    prepare: ({ ownerUrl, runtimeUrl }) => migrate({ ownerUrl, runtimeUrl, log: () => undefined }),
  });
  await setTimeZone(database.ownerUrl);
  const clock = createFakeClock(begin);
  const stripe = await startStripeServer({ now: () => clock.now() });
  closers.push(() => stripe.close());
  const config = { stripe: stripeConfig(stripe) };
  const testApp = await createTestApp({ database, clock, config });
  closers.push(() => testApp.close());
  await stopSchedules(testApp);
  const staff = await createStaff(testApp);
  await enrolEdge(testApp, staff, { name: "one" });
  const counts = new Map<string, number>();
  const caused: StripeEvent[] = [];
  const underWay = new Set<string>();
  stripe.state.onEvent((event) => void caused.push(event));
  return {
    testApp,
    stripe,
    ...(await readPlans(testApp)),
    staffId: staff.id,
    random: seededRandom(seed),
    counts,
    count: (kind, times = 1) => void counts.set(kind, (counts.get(kind) ?? 0) + times),
    underWay,
    async delivering(types, work) {
      caused.length = 0;
      work();
      const events = caused.splice(0).filter(({ type }) => types.test(type));
      for (const event of events) {
        underWay.add(event.id);
        await deliver(testApp, stripe, event);
      }
    },
    close,
  };
}

async function setTimeZone(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const name = pg.escapeIdentifier(new URL(ownerUrl).pathname.slice(1));
  await owner.query(`alter database ${name} set timezone = '${timeZone}'`);
  await owner.end();
}

async function readPlans({ platform: { db } }: TestApp) {
  const read = async (table: "pricing_plans" | "support_plans"): Promise<Plan[]> => {
    const columns = ["id", "slug", "name", "price_cents"] as const;
    const rows = await db.selectFrom(table).select(columns).orderBy("price_cents").execute();
    return rows.map(({ price_cents, ...row }) => ({ ...row, cents: Number(price_cents) }));
  };
  return { plans: await read("pricing_plans"), supportPlans: await read("support_plans") };
}
