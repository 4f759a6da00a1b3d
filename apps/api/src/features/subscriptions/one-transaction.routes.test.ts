import { routes } from "@palisade/contract/http/routes";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import { enrolEdge, shieldBody } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let replica: TestApp;
let owner: pg.Client;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
  owner = new pg.Client({ connectionString: testApp.ownerUrl });
  await owner.connect();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  user = await createUser(testApp);
});
afterAll(async () => {
  await owner?.end();
  await replica?.close();
  await testApp?.close();
});

/** Every table a purchase writes to, in the order in which it does. */
const steps = [
  "ledger_txns",
  "ledger_postings",
  "ledger_balances",
  "cname_reservations",
  "shields",
  "shield_members",
  "backend_groups",
  "backends",
  "shield_domains",
  "shield_firewalls",
  "shield_messages",
  "shield_caching",
  "subscriptions",
  "config_head",
  "shield_configs",
  "shield_revisions",
  "idempotency_keys",
  "audit_log",
  "audit_heads",
] as const;

/** Lets writes to the table fail as they do where a lock is waited for too long. */
async function breakTable(table: string): Promise<void> {
  await owner.query(`
    create or replace function break_step() returns trigger language plpgsql as
      $$ begin raise exception 'broken step' using errcode = 'lock_not_available'; end $$;
    create trigger break_step before insert or update on ${table}
      for each row execute function break_step();
  `);
}

const mendTable = (table: string) => owner.query(`drop trigger break_step on ${table}`);

/** All a purchase writes, but for its audit rows: that a call failed goes on record by itself. */
async function everything(): Promise<unknown> {
  const counts: Record<string, unknown> = {};
  for (const table of steps.filter((step) => !step.startsWith("audit_"))) {
    const { rows } = await owner.query(`select count(*) from ${table}`);
    counts[table] = rows;
  }
  const heads = await owner.query("select version from config_head");
  const balances = await owner.query("select * from ledger_balances order by 1");
  const claimed = await owner.query(
    "select cname_record from cname_reservations where shield_id is not null order by 1",
  );
  return { counts, heads: heads.rows, balances: balances.rows, claimed: claimed.rows };
}

describe("a purchase is one transaction", () => {
  test.each(steps)(
    "a failure at %s leaves nothing, and the purchase can be repeated by its key",
    async (step) => {
      await giveMoney(testApp, user, 900);
      const body = await shieldBody(testApp, user, "plus");
      const buy = (app: TestApp) =>
        call(app, routes.servers.createServer, {
          token: user.token,
          body,
          headers: { "idempotency-key": `step-${step}` },
        });
      const before = await everything();
      await breakTable(step);
      try {
        const answer = await buy(testApp);
        expect([answer.statusCode, answer.json().code]).toEqual([503, "unavailable"]);
      } finally {
        await mendTable(step);
      }
      expect(await everything()).toEqual(before);
      expect((await buy(replica)).statusCode).toBe(201);
      expect((await buy(testApp)).statusCode).toBe(201);
      await requireWholeLedger(testApp);
      const current = await call(testApp, routes.auth.user, { token: user.token });
      expect(current.json().user).toMatchObject({ balance: "0.00" });
    },
  );
});
