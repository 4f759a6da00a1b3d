import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { insertHours } from "#src/test-support/test-telemetry.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
  await allowCaching(true);
});

const { getCaching, updateCaching, purgeCache } = routes.caching;

const get = () => call(testApp, getCaching, { token: owner.token, params: { id: shieldId } });

function put(enabled: boolean, headers: Record<string, string> = {}) {
  return call(testApp, updateCaching, {
    token: owner.token,
    params: { id: shieldId },
    body: { caching_enabled: enabled },
    headers,
  });
}

const purge = () => call(testApp, purgeCache, { token: owner.token, params: { id: shieldId } });

async function compiled() {
  const { config } = await testApp.platform.db
    .selectFrom("shield_configs")
    .select("config")
    .where("schema", "=", configSchemaVersion)
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return shieldConfig.parse(JSON.parse(config)).status_cache;
}

/** Puts the shield on a plan that differs from the free one in this alone. */
async function allowCaching(isAllowed: boolean) {
  const slug = isAllowed ? "cached" : "uncached";
  await sql`
    insert into pricing_plans (id, slug, name, description, price_cents, features, limits, position)
    select gen_random_uuid(), ${slug}, ${slug}, '', 0, '[]',
      limits || ${JSON.stringify({ caching: isAllowed })}::jsonb, 9
    from pricing_plans where slug = 'free' on conflict do nothing
  `.execute(testApp.platform.db);
  await sql`
    update shields set pricing_plan_id = (select id from pricing_plans where slug = ${slug})
    where id = ${shieldId}
  `.execute(testApp.platform.db);
}

describe("caching", () => {
  test("is on at first; off and on reach the edges, each with a revision of its own", async () => {
    expect((await get()).json()).toMatchObject({ caching_enabled: true, needs_upgrade: false });
    const off = await put(false);
    expect(off.json()).toMatchObject({
      message: "Caching settings updated successfully",
      revision: 2,
      caching: { caching_enabled: false },
    });
    expect(await compiled()).toMatchObject({ enabled: false });
    expect((await put(true)).json()).toMatchObject({ revision: 3 });
    expect(await compiled()).toMatchObject({ enabled: true });
  });

  test("a shield from before it was one's choice has it on, and can be changed and purged", async () => {
    const { db } = testApp.platform;
    const forget = () =>
      db.deleteFrom("shield_caching").where("shield_id", "=", shieldId).execute();
    await forget();
    const read = await get();
    expect(read.json()).toMatchObject({ caching_enabled: true, purged_at: null });
    const off = await put(false, { "if-match": String(read.headers.etag) });
    expect(off.json()).toMatchObject({ revision: 2, caching: { caching_enabled: false } });
    expect(await compiled()).toMatchObject({ enabled: false });
    await forget();
    expect((await purge()).json().caching.purged_at).not.toBeNull();
    expect(await compiled()).toMatchObject({ enabled: true, purge: 1 });
  });

  test("a stale If-Match is refused; a purge makes no ETag stale", async () => {
    const etag = String((await get()).headers.etag);
    await purge();
    const first = await put(false, { "if-match": etag });
    expect([first.statusCode, first.headers.etag]).toEqual([200, (await get()).headers.etag]);
    const stale = await put(true, { "if-match": etag });
    expect([stale.statusCode, stale.json().code]).toEqual([412, "precondition_failed"]);
    expect((await get()).json().caching_enabled).toBe(false);
  });

  test("a plan without it: off for players, told so, and every change is 403", async () => {
    await allowCaching(false);
    expect((await get()).json()).toMatchObject({ caching_enabled: false, needs_upgrade: true });
    for (const answer of [await put(true), await purge()]) {
      expect([answer.statusCode, answer.json().code]).toEqual([403, "plan_required"]);
    }
  });

  test("a purge is counted in the configuration and timed; more than 10 in a minute are 429", async () => {
    await put(true);
    const before = await compiled();
    const answer = await purge();
    expect(answer.json()).toMatchObject({
      revision: 3,
      caching: { purged_at: testApp.clock.now().toISOString() },
    });
    expect(await compiled()).toEqual({ ...before, purge: before.purge + 1 });
    const codes: number[] = [];
    for (let attempt = 0; attempt < 10; attempt++) codes.push((await purge()).statusCode);
    expect(codes).toEqual([...Array.from({ length: 9 }, () => 200), 429]);
  });

  test("the hit rate is that of the last 24 hours, and null without pings", async () => {
    expect((await get()).json()).toMatchObject({ hit_rate: null, pings: 0 });
    const now = testApp.clock.now().getTime();
    const hour = (ago: number) => new Date(Math.floor(now / 3_600_000 - ago) * 3_600_000);
    await insertHours(testApp.platform.db, [
      { shield_id: shieldId, start: hour(0), pings: "30", status_hits: "27" },
      { shield_id: shieldId, start: hour(20), pings: "10", status_hits: "3" },
      { shield_id: shieldId, start: hour(30), pings: "1000" },
    ]);
    expect((await get()).json()).toMatchObject({ hit_rate: 0.75, pings: 40, pings_from_cache: 30 });
  });

  test("a shield that is not active keeps its cache settings: 409", async () => {
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "expired" })
      .where("id", "=", shieldId)
      .execute();
    for (const answer of [await put(false), await purge()]) {
      expect([answer.statusCode, answer.json().code]).toEqual([409, "server_not_active"]);
    }
  });
});
