import { createTestDatabase, type DatabaseUrls } from "@palisade/testing/test-database";
import { createFakeClock, type FakeClock } from "@palisade/testing/fake-clock";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import { pino } from "pino";
import { compose, type Composition } from "#src/compose.ts";
import type { ChargeSavedCard } from "#src/features/payments/card-charges.service.ts";
import type { SavedCards } from "#src/features/subscriptions/saved-cards.service.ts";
import type { ApiConfig } from "#src/config.ts";
import { newId } from "#src/platform/database/ids.ts";
import { migrate } from "#src/platform/database/migrate.ts";
import type { Platform } from "#src/platform/platform.ts";

export interface TestApp {
  readonly app: FastifyInstance;
  readonly platform: Platform;
  readonly clock: FakeClock;
  readonly chargeSavedCard: ChargeSavedCard;
  /** Opens the port for answers to tickets, as `config.supportMail` says; closed with the app. */
  readonly listenForMails: Composition["listenForMails"];
  /** Runs a job of a schedule now, and waits for its end. */
  runJob(name: string): Promise<void>;
  /** Owner of the database, for what the runtime role may not do. */
  readonly ownerUrl: string;
  readonly runtimeUrl: string;
  /** Listens on a free loopback port, once, and returns the origin. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  readonly config?: Partial<ApiConfig>;
  /** Another replica on the same database; it is closed by itself and drops nothing. */
  readonly sharing?: TestApp;
  /** A migrated database of the test's own, which is not dropped at the end. */
  readonly database?: DatabaseUrls;
  readonly clock?: FakeClock;
  /** Saved cards of accounts, for tests of renewals. */
  readonly cards?: SavedCards;
  /** Lines of the log, for tests of what is in it. */
  readonly onLog?: (line: string) => void;
}

/** Each app has a folder below it, which is made with the first file. */
const testFiles = path.join(tmpdir(), "palisade-test-files");

/** A migrated database of its own, in which an api has run: it has the queues of all jobs. */
export function createMigratedDatabase() {
  return createTestDatabase({
    template: "api",
    async prepare(urls) {
      await migrate({ ...urls, log: () => undefined });
      await (await createTestApp({ database: urls })).close();
      await forgetJobs(urls.ownerUrl);
    },
  });
}

/**
 * The queues stay. A schedule that pg-boss finds as it starts is due at once, and its job would run in
 * the middle of a test; the app of the test makes the schedules.
 */
async function forgetJobs(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("DELETE FROM jobs.job");
    await client.query("DELETE FROM jobs.schedule");
    await client.query("UPDATE jobs.version SET cron_on = NULL");
  } finally {
    await client.end();
  }
}

/**
 * The real app on a real database, with jobs running; only the clock is replaced.
 *
 * @example
 * const testApp = await createTestApp();
 * afterAll(() => testApp.close());
 * const answer = await testApp.app.inject({ url: "/api/v1/auth/user" });
 */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { sharing } = options;
  const given = options.database ?? sharing;
  const database = given === undefined ? await createMigratedDatabase() : undefined;
  const { ownerUrl, runtimeUrl } = database ?? given ?? unreachable();
  const clock = options.clock ?? sharing?.clock ?? createFakeClock();
  const composition = await compose({
    config: { ...testConfig(runtimeUrl), ...options.config },
    clock,
    ...(options.cards && { cards: options.cards }),
    // Without a sample in time the delay counts as infinite, which is not more than this.
    eventLoopDelayMsMax: Number.POSITIVE_INFINITY,
    log: pino(
      { level: options.onLog === undefined ? "silent" : "debug" },
      {
        write: (line: string) => options.onLog?.(line),
      },
    ),
  });
  let origin: Promise<string> | undefined;
  const { app, platform, chargeSavedCard, jobs } = composition;
  return {
    app,
    platform,
    chargeSavedCard,
    listenForMails: composition.listenForMails,
    async runJob(name) {
      const job = jobs.find((each) => each.name === name);
      if (job === undefined) throw new Error(`There is no job ${name}`);
      await job.run({});
    },
    clock,
    ownerUrl,
    runtimeUrl,
    listen: () => (origin ??= app.listen({ host: "127.0.0.1", port: 0 })),
    async close() {
      await composition.close();
      const { files } = platform.config;
      const isOwn = files.kind === "disk" && files.folder.startsWith(testFiles);
      if (isOwn) await rm(files.folder, { recursive: true, force: true });
      await database?.drop();
    },
  };
}

export function testConfig(databaseUrl: string): ApiConfig {
  return {
    development: true,
    home: "/nonexistent",
    logLevel: "silent",
    httpHost: "127.0.0.1",
    httpPort: 0,
    metricsPort: 0,
    tls: undefined,
    httpsPort: 0,
    inherited: {},
    publicUrl: undefined,
    trustedProxies: [],
    databaseUrl,
    secret: "a secret for tests, long enough to be one",
    formerSecrets: [],
    smtpUrl: undefined,
    mailFrom: "Palisade <palisade@localhost>",
    supportMail: undefined,
    staffWebhook: undefined,
    files: { kind: "disk", folder: path.join(testFiles, newId()) },
    clamd: undefined,
    paypal: undefined,
    fourEyesCents: 100_000,
    stripe: undefined,
    discordInviteUrl: undefined,
    operator: { name: "Operator", address: "Street 1, Town", email: "operator@example.com" },
    seller: {
      name: "Operator",
      address: "Street 1, Town",
      email: "operator@example.com",
      country: null,
      vatId: null,
      chargesVat: false,
    },
    viesUrl: "http://127.0.0.1:9",
    sourceUrl: undefined,
    zone: "gs.localhost",
    // No server answers there: a test that needs DNS brings its own.
    dnsResolvers: ["127.0.0.1:9"],
    zoneServer: undefined,
    javaPort: 25_565,
    privateBackends: [],
    // As installed: no test has a backend at a refused port by chance.
    backendPorts: {
      allowed: [{ first: 1_024, last: 65_535 }],
      refused: [{ first: 3_306, last: 3_306 }],
    },
    otherPorts: { first: 30_000, last: 30_199 },
    bedrockPorts: { standard: 19_132, pool: { first: 20_000, last: 29_999 } },
    addressDatabases: [],
    failpoints: [],
    consoleFolder: "/nonexistent",
  };
}

function unreachable(): never {
  throw new Error("There is neither an own nor a shared database");
}
