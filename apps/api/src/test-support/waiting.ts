import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import type { TestApp } from "./test-app.ts";

/** Waits until so many sessions of the test's database wait for a lock that another holds. */
export async function untilWaiting(testApp: TestApp, sessions: number): Promise<void> {
  await until(async () => (await countWaiting(testApp)) >= sessions);
}

async function countWaiting(testApp: TestApp): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `.execute(testApp.platform.db);
  return rows[0]?.count ?? 0;
}

/** Something that holds locks until told to let go. */
export interface Holder {
  release(): Promise<void>;
}

/** Runs `work` in a transaction, which stays open afterwards until released. */
export async function hold(
  testApp: TestApp,
  work: (trx: Trx) => Promise<unknown>,
): Promise<Holder> {
  const held = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const transaction = testApp.platform.db.transaction().execute(async (trx) => {
    await work(trx);
    held.resolve();
    await done.promise;
  });
  await Promise.race([held.promise, transaction]);
  return {
    async release() {
      done.resolve();
      await transaction;
    },
  };
}
