import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  owner = await createUser(testApp);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  shieldId = (await createShield(testApp, owner)).id;
});

function get() {
  return call(testApp, routes.serverMessages.getServerMessages, {
    token: owner.token,
    params: { id: shieldId },
  });
}

function update(body: unknown, headers: Record<string, string> = {}) {
  return call(testApp, routes.serverMessages.updateServerMessages, {
    token: owner.token,
    params: { id: shieldId },
    body,
    headers,
  });
}

async function compiled() {
  const row = await testApp.platform.db
    .selectFrom("shield_configs")
    .where("schema", "=", configSchemaVersion)
    .select("config")
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return shieldConfig.parse(JSON.parse(row.config)).messages;
}

describe("messages", () => {
  test("are stored as written and reach edges with colour codes; what is missing stays", async () => {
    await update({ firewall: { blacklist_msg: "&cNo, {player}" } });
    const answer = await update({ offline: { motd_line1: "&aBack soon" } });
    expect(answer.json()).toMatchObject({
      message: "Updated successfully",
      revision: 3,
      messages: {
        offline: { motd_line1: "&aBack soon", motd_line2: "" },
        firewall: { blacklist_msg: "&cNo, {player}" },
      },
    });
    expect(await compiled()).toMatchObject({
      blacklist: "§cNo, {player}\n§8{trace}",
      offline_motd: ["§aBack soon", ""],
    });
  });

  test("an empty text clears to the product's default", async () => {
    const before = await compiled();
    await update({ firewall: { blacklist_msg: "&cNo" } });
    await update({ firewall: { blacklist_msg: "" } });
    expect(before.blacklist).not.toBe("");
    expect(await compiled()).toEqual(before);
  });

  test("control characters, NUL included, are dropped instead of failing", async () => {
    const answer = await update({ firewall: { blacklist_msg: "a\u0000b\u0007\nc" } });
    expect(answer.statusCode).toBe(200);
    expect((await compiled()).blacklist).toBe("ab\nc\n§8{trace}");
  });

  test("too long a text is refused at its field", async () => {
    const answer = await update({ offline: { motd_line2: "x".repeat(513) } });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues).toMatchObject([{ path: "offline.motd_line2" }]);
  });

  test("a stale If-Match is refused", async () => {
    const { etag } = (await get()).headers;
    const first = await update({ offline: { version_info: "one" } }, { "if-match": String(etag) });
    expect(first.statusCode).toBe(200);
    expect(first.headers.etag).toBe((await get()).headers.etag);
    const stale = await update({ offline: { version_info: "two" } }, { "if-match": String(etag) });
    expect(stale.statusCode).toBe(412);
    expect((await compiled()).offline_version).toBe("one");
  });

  test("a plan without customization forbids reading and writing: 403 plan_required", async () => {
    const { db } = testApp.platform;
    await sql`
      insert into pricing_plans (id, slug, name, description, price_cents, features, limits, position)
      select gen_random_uuid(), 'plain', 'Plain', '', 0, '[]',
        limits || '{"customization": false}', 9 from pricing_plans where slug = 'free'
      on conflict do nothing
    `.execute(db);
    await sql`
      update shields set pricing_plan_id = (select id from pricing_plans where slug = 'plain')
      where id = ${shieldId}
    `.execute(db);
    for (const answer of [await get(), await update({ offline: {} })]) {
      expect([answer.statusCode, answer.json().code]).toEqual([403, "plan_required"]);
    }
  });

  test("a shield that is not active keeps its messages: 409", async () => {
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "expired" })
      .where("id", "=", shieldId)
      .execute();
    const answer = await update({ offline: { version_info: "x" } });
    expect([answer.statusCode, answer.json().code]).toEqual([409, "server_not_active"]);
  });
});
