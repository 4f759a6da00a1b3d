import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import type { Server } from "@palisade/contract/http/servers";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { freshDomain } from "#src/test-support/test-domains.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import {
  createSharedShield,
  dayMs,
  createShieldLifeFixture,
  shieldLifeCalls,
} from "#src/test-support/test-shield-life.ts";
import { createShield, planIdOf, type TestEdge } from "#src/test-support/test-shields.ts";
import { openTestStream } from "#src/test-support/test-stream.ts";
import { call, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { freeShieldsMax } from "./free-shields.service.ts";

let testApp: TestApp;
let replica: TestApp;
let edge: TestEdge;
let stranger: TestUser;
let owner: TestUser;
let member: TestUser;
let shield: Server;

const { db, remove, restore, read, listed, setStatus, revisionOf } = shieldLifeCalls(() => ({
  testApp,
  owner,
  shield,
}));

beforeAll(async () => {
  ({ testApp, replica, edge, stranger } = await createShieldLifeFixture());
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});
beforeEach(async () => {
  ({ owner, member, shield } = await createSharedShield(testApp));
});

describe("restoring", () => {
  test("brings label, settings, port, people and proven domains back, to the edges too", async () => {
    await db()
      .updateTable("shield_domains")
      .set({ verified_at: testApp.clock.now() })
      .where("shield_id", "=", shield.id)
      .execute();
    const groupId = newId();
    const port = 30_001;
    await db()
      .insertInto("backend_groups")
      .values({
        id: groupId,
        shield_id: shield.id,
        name: "Voice",
        balancing: "random",
        proxy_protocol: false,
        is_default: false,
        game: "other",
        port,
        created_at: testApp.clock.now(),
      })
      .execute();
    await remove();
    testApp.clock.advance(14 * dayMs - 1_000);
    const stream = await openTestStream(testApp, edge, { schema: configSchemaVersion });
    await stream.next("snapshot_end");
    const answer = await restore();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      message: "Server restored",
      revision: 3,
      server: { id: shield.id, status: "active", cname_record: shield.cname_record },
    });
    const [line] = (await stream.next("delta")).shields;
    expect(line?.config).toMatchObject({
      label: shield.cname_record,
      domains: [{ name: shield.domain, proven: true }],
      groups: [{ default: true }, { id: groupId, port }],
    });
    stream.close();
    expect([await read(), await read(member)]).toEqual([200, 200]);
    expect(await listed()).toMatchObject([{ deleted_at: null, restorable_until: null }]);
    expect(await listed("deleted")).toEqual([]);
  });

  test("twice at once, on two replicas, is once", async () => {
    await remove();
    const answers = await Promise.all([restore(), restore(owner, replica)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(answers.map((answer) => answer.json().revision)).toEqual([3, 3]);
    expect(await revisionOf()).toBe(3);
  });

  test("only its owner may, and only for 14 days", async () => {
    await remove();
    expect((await restore(member)).statusCode).toBe(404);
    expect((await restore(stranger)).statusCode).toBe(404);
    testApp.clock.advance(14 * dayMs);
    expect((await restore()).statusCode).toBe(404);
    expect(await read()).toBe(404);
    expect(await listed("deleted")).toEqual([]);
  });

  test.each(["blocked", "expired"] as const)("a shield that was %s is so again", async (status) => {
    await setStatus(status);
    await remove();
    expect((await restore()).json().server.status).toBe(status);
  });

  test("after the period that was paid for it is active for 72 hours, then expired; nothing is charged", async () => {
    const plan = await planIdOf(testApp, "plus");
    const graceMs = 72 * 3_600_000;
    for (const [fromEndMs, status] of [
      [-dayMs, "active"],
      [graceMs - 1, "active"],
      [graceMs, "expired"],
    ] as const) {
      await giveMoney(testApp, owner, 1_000);
      shield = await createShield(testApp, owner, {
        pricing_plan_id: plan,
        domain: freshDomain(),
      });
      const { period_ends_at } = await db()
        .selectFrom("subscriptions")
        .select("period_ends_at")
        .where("shield_id", "=", shield.id)
        .executeTakeFirstOrThrow();
      // Deleted in its last days, so that it can still be restored.
      testApp.clock.set(new Date(period_ends_at.getTime() - 2 * dayMs));
      await remove();
      testApp.clock.set(new Date(period_ends_at.getTime() + fromEndMs));
      const answer = await restore();
      expect([answer.statusCode, answer.json().server?.status]).toEqual([200, status]);
    }
    const { cents } = await db()
      .selectFrom("subscriptions")
      .select((eb) => eb.fn.countAll<string>().as("cents"))
      .where("shield_id", "=", shield.id)
      .executeTakeFirstOrThrow();
    expect(Number(cents)).toBe(1);
    await requireWholeLedger(testApp);
  });

  test("a domain that another account has proven since then stays theirs", async () => {
    const now = testApp.clock.now();
    await db()
      .updateTable("shield_domains")
      .set({ verified_at: now })
      .where("shield_id", "=", shield.id)
      .execute();
    await remove();
    const { domain } = shield;
    const other = await createUser(testApp);
    const theirs = await createShield(testApp, other, { domain: "placeholder.example.com" });
    await db()
      .updateTable("shield_domains")
      .set({ verified_at: null })
      .where("shield_id", "=", shield.id)
      .execute();
    await db()
      .updateTable("shield_domains")
      .set({ name: domain ?? "", verified_at: now })
      .where("shield_id", "=", theirs.id)
      .execute();
    expect((await restore()).statusCode).toBe(200);
    const claims = await db()
      .selectFrom("shield_domains")
      .select(["shield_id", "verified_at"])
      .where("name", "=", domain)
      .orderBy("verified_at")
      .execute();
    expect(claims).toEqual([
      { shield_id: theirs.id, verified_at: now },
      { shield_id: shield.id, verified_at: null },
    ]);
  });

  test("free shields stay within the number one account may have, also restored at once", async () => {
    await remove();
    const [first] = [shield];
    shield = await createShield(testApp, owner, { domain: freshDomain() });
    await remove();
    const crowd = freeShieldsMax - 1;
    await sql`
      insert into shields (id, owner_id, server_name, status, pricing_plan_id, cname_record,
        location, revision, created_at)
      select gen_random_uuid(), owner_id, server_name, 'active', pricing_plan_id,
        'full-' || n || '.gs.localhost', location, 1, created_at
      from shields, generate_series(1, ${crowd}::int) n where id = ${shield.id}
    `.execute(db());
    const answers = await Promise.all(
      [first, shield].map(({ id }) =>
        call(testApp, routes.serverLife.restoreServer, { token: owner.token, params: { id } }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json().message).toBe(
      "You have reached the number of free Game Shields for one account",
    );
  });
});
