import { productFeatures } from "@palisade/contract/product-features";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pricingPlans } from "../../../seeds/plans.ts";
import { seed } from "../../../seeds/seed.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney } from "#src/test-support/test-money.ts";
import { enrolEdge, planIdOf, shieldBody } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { entitlements } from "./entitlements.service.ts";
import { revoke } from "#src/features/edges/edges.service.ts";

let testApp: TestApp;
let user: TestUser;

beforeAll(async () => {
  testApp = await createTestApp();
  user = await createUser(testApp);
});
afterAll(() => testApp.close());

async function locations(query: Readonly<Record<string, string>> = {}) {
  const answer = await call(testApp, routes.plans.listLocations, { token: user.token, query });
  return routes.plans.listLocations.response.parse(answer.json()).locations;
}

describe("plans", () => {
  test("the free plan is available; a plan that the balance does not cover is listed as unavailable", async () => {
    const answer = await call(testApp, routes.plans.listPricingPlans, { token: user.token });
    expect(answer.statusCode).toBe(200);
    const { plans } = routes.plans.listPricingPlans.response.parse(answer.json());
    expect(plans.map(({ name, price, is_available }) => [name, price, is_available])).toEqual([
      ["Free", "0.00", true],
      ["Plus", "9.00", false],
      ["Pro", "29.00", false],
      ["Network", "99.00", false],
    ]);
  });

  test("each plan lists the limits of its shields", async () => {
    const answer = await call(testApp, routes.plans.listPricingPlans, { token: user.token });
    const { plans } = routes.plans.listPricingPlans.response.parse(answer.json());
    expect(plans.map(({ includes }) => Object.values(includes))).toEqual([
      [1, 1, false, true, false, "medium", false],
      [5, 3, true, true, true, "high", false],
      [20, 10, true, true, true, "extreme", true],
      [100, 50, true, true, true, "extreme", true],
    ]);
  });

  test("support plans are listed in order", async () => {
    const answer = await call(testApp, routes.plans.listSupportPlans, { token: user.token });
    const { plans } = routes.plans.listSupportPlans.response.parse(answer.json());
    expect(plans.map(({ name }) => name)).toEqual(["Free", "Priority", "Business"]);
  });

  test("seeding again changes nothing, also not the changes of staff", async () => {
    const { db } = testApp.platform;
    const before = await db.selectFrom("pricing_plans").selectAll().orderBy("id").execute();
    await db
      .updateTable("locations")
      .set({ display_name: "DE" })
      .where("name", "=", "frankfurt")
      .execute();
    await seed(db);
    expect(await db.selectFrom("pricing_plans").selectAll().orderBy("id").execute()).toEqual(
      before,
    );
    expect((await locations()).find(({ name }) => name === "frankfurt")?.display_name).toBe("DE");
  });

  test("plans name Bedrock only if the product has it, in any language", async () => {
    const texts: string[] = [];
    for (const language of ["en", "ru"]) {
      for (const route of [routes.plans.listPricingPlans, routes.plans.listSupportPlans]) {
        const headers = { "accept-language": language };
        texts.push((await call(testApp, route, { token: user.token, headers })).body);
      }
    }
    // Not `bedrock`, which is the field that tells whether the plan has it.
    const bedrock = /Bedrock|Geyser/u;
    expect(texts.some((text) => bedrock.test(text))).toBe(productFeatures.bedrock);
  });

  test("texts of an earlier version follow what this one offers; texts of staff stay", async () => {
    const { db } = testApp.platform;
    const plus = () =>
      db
        .selectFrom("pricing_plans")
        .select(["features", "translations"])
        .where("slug", "=", "plus")
        .executeTakeFirstOrThrow();
    const before = await plus();
    const set = (features: readonly string[], translations: object) =>
      db
        .updateTable("pricing_plans")
        .set({
          features: JSON.stringify(features),
          translations: JSON.stringify(translations),
        })
        .where("slug", "=", "plus")
        .execute();
    const earlier = pricingPlans({ bedrock: true, tickets: true })[1];
    expect(earlier?.features).toContain("Bedrock and Geyser");
    await set(earlier?.features ?? [], earlier?.translations ?? {});
    await seed(db);
    expect(await plus()).toEqual(before);
    await set(["Bedrock, as staff wrote it"], {});
    await seed(db);
    expect((await plus()).features).toEqual(["Bedrock, as staff wrote it"]);
    await set(before.features, before.translations);
  });

  test("every seeded plan has valid limits", async () => {
    const rows = await testApp.platform.db
      .selectFrom("pricing_plans")
      .select("limits as plan_limits")
      .orderBy("position")
      .execute();
    expect(rows.map((row) => entitlements(row).domainsMax)).toEqual([1, 5, 20, 100]);
    expect(rows.map((row) => entitlements(row).allowsAntibot("extreme"))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test("a location is available while an edge is enrolled there; an invitation or zone DNS is not enough", async () => {
    const staff = await createStaff(testApp);
    const availability = async () =>
      (await locations()).filter(({ is_available }) => is_available).map(({ name }) => name);
    expect(await availability()).toEqual([]);
    await enrolEdge(testApp, staff, { name: "zone", kind: "dns", location: "kyiv" });
    await call(testApp, routes.staffEdges.createEdge, {
      token: staff.token,
      body: { name: "invited", location: "stockholm", reason: "A new machine" },
    });
    const edge = await enrolEdge(testApp, staff, { name: "one" });
    expect(await availability()).toEqual(["local"]);
    const { db, bus } = testApp.platform;
    await db.transaction().execute((trx) => revoke({ bus }, trx, edge.id));
    expect(await availability()).toEqual([]);
  });
});

describe("locations of a plan", () => {
  async function available(query: Readonly<Record<string, string>> = {}): Promise<string[]> {
    const listed = await locations(query);
    return listed.filter(({ is_available }) => is_available).map(({ name }) => name);
  }

  test("a location that the plan does not include is listed as unavailable", async () => {
    const staff = await createStaff(testApp);
    for (const location of ["local", "frankfurt", "almaty"]) {
      await enrolEdge(testApp, staff, { name: `plan-${location}`, location });
    }
    expect(await available()).toEqual(["local", "frankfurt", "almaty"]);
    const free = await planIdOf(testApp, "free");
    expect(await available({ pricing_plan_id: free })).toEqual(["local", "frankfurt"]);
    expect(await locations({ pricing_plan_id: free })).toHaveLength(5);
    expect(await available({ pricing_plan_id: await planIdOf(testApp, "plus") })).toEqual([
      "local",
      "frankfurt",
      "almaty",
    ]);
  });

  test("a stored plan without a list has all locations, one with an empty list none", async () => {
    const { db } = testApp.platform;
    const pricing_plan_id = await planIdOf(testApp, "free");
    const store = (limits: string) =>
      sql`update pricing_plans set limits = ${sql.raw(limits)} where id = ${pricing_plan_id}`.execute(
        db,
      );
    const { limits } = await db
      .selectFrom("pricing_plans")
      .select("limits")
      .where("id", "=", pricing_plan_id)
      .executeTakeFirstOrThrow();
    try {
      await store("limits - 'locations'");
      expect(await available({ pricing_plan_id })).toEqual(["local", "frankfurt", "almaty"]);
      await store(`limits || '{"locations": null}'`);
      expect(await available({ pricing_plan_id })).toEqual(["local", "frankfurt", "almaty"]);
      await store(`limits || '{"locations": []}'`);
      expect(await available({ pricing_plan_id })).toEqual([]);
    } finally {
      await db
        .updateTable("pricing_plans")
        .set({ limits: JSON.stringify(limits) })
        .where("id", "=", pricing_plan_id)
        .execute();
    }
  });

  test.each(["9", "", "01900000-0000-7000-8000-000000000000"])(
    "the unknown plan %j is 422",
    async (pricing_plan_id) => {
      const answer = await call(testApp, routes.plans.listLocations, {
        token: user.token,
        query: { pricing_plan_id },
      });
      expect(answer.statusCode).toBe(422);
      expect(answer.json().issues).toMatchObject([
        { path: "pricing_plan_id", message: "Pricing plan ID must be valid" },
      ]);
    },
  );

  test("creating a shield refuses a location outside the plan, at its field", async () => {
    const body = { ...(await shieldBody(testApp, user)), location: "Kazakhstan" };
    const answer = await call(testApp, routes.servers.createServer, { token: user.token, body });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      code: "location_unavailable",
      issues: [{ path: "location" }],
    });
    await giveMoney(testApp, user, 900);
    const pricing_plan_id = await planIdOf(testApp, "plus");
    const paid = await call(testApp, routes.servers.createServer, {
      token: user.token,
      body: { ...body, pricing_plan_id },
    });
    expect(paid.json()).toMatchObject({ server: { location: { name: "almaty" } } });
  });
});
