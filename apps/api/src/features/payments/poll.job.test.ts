import { createFakeClock } from "@palisade/testing/fake-clock";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDb, type Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { ProviderName } from "#src/schema/payments.ts";
import { createMigratedDatabase, createTestApp } from "#src/test-support/test-app.ts";
import { createUser, type TestUser } from "#src/test-support/test-users.ts";
import { pollJob } from "./poll.job.ts";

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let db: Db;
let user: TestUser;
const clock = createFakeClock();
beforeAll(async () => {
  database = await createMigratedDatabase();
  // Only to register: its own poller would take the intents away.
  const testApp = await createTestApp({ database, clock });
  user = await createUser(testApp);
  await testApp.close();
  db = createDb({
    url: database.runtimeUrl,
    connectionsMax: 2,
    statementTimeoutMs: 10_000,
    onConnectionError: () => undefined,
  });
});
afterAll(async () => {
  await db?.destroy();
  await database?.drop();
});

async function dueIntents(provider: ProviderName, count: number): Promise<string[]> {
  const now = clock.now();
  const ids = Array.from({ length: count }, () => newId());
  await db
    .insertInto("payment_intents")
    .values(
      ids.map((id) => ({
        id,
        user_id: user.id,
        payment_method: "paypal" as const,
        provider,
        provider_account: "ours",
        reference: id,
        amount_cents: 100,
        currency: "EUR" as const,
        promo_code_id: null,
        promo_state: null,
        bonus_cents: 0,
        status: "pending" as const,
        review_reason: null,
        created_at: now,
        expires_at: new Date(now.getTime() + 3_600_000),
        settled_at: null,
        closed_at: null,
        next_poll_at: now,
      })),
    )
    .execute();
  return ids;
}

describe("the poller", () => {
  test("asks other providers while one does not answer, also behind its backlog", async () => {
    const slow = await dueIntents("stripe", 120);
    const quick = await dueIntents("paypal", 3);
    const settled: string[] = [];
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const job = pollJob({
      db,
      clock,
      log: pino({ level: "silent" }),
      processEvent: () => Promise.resolve(),
      async settle(id) {
        if (slow.includes(id)) await answered;
        settled.push(id);
      },
    });
    const run = job.run({});
    await until(() => quick.every((id) => settled.includes(id)));
    expect(settled).toHaveLength(3);
    answer();
    await run;
    expect(settled).toHaveLength(103);
    expect(new Set(settled).size).toBe(103);
  });
});
