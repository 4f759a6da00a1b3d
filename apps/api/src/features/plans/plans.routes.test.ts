import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seed } from "../../../seeds/seed.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { enrolEdge } from "#src/test-support/test-shields.ts";
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

async function locations() {
  const answer = await call(testApp, routes.plans.listLocations, { token: user.token });
  return routes.plans.listLocations.response.parse(answer.json()).locations;
}

describe("plans", () => {
  test("the free plan is available, a plan the balance does not cover is shown and is not", async () => {
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

  test("support plans are listed in their order", async () => {
    const answer = await call(testApp, routes.plans.listSupportPlans, { token: user.token });
    const { plans } = routes.plans.listSupportPlans.response.parse(answer.json());
    expect(plans.map(({ name }) => name)).toEqual(["Free", "Priority", "Business"]);
  });

  test("seeding again changes nothing, not even what staff changed", async () => {
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

  test("every seeded plan's limits are understood", async () => {
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
      body: { name: "invited", location: "stockholm" },
    });
    const edge = await enrolEdge(testApp, staff, { name: "one" });
    expect(await availability()).toEqual(["local"]);
    const { db, bus } = testApp.platform;
    await db.transaction().execute((trx) => revoke({ bus }, trx, edge.id));
    expect(await availability()).toEqual([]);
  });
});
