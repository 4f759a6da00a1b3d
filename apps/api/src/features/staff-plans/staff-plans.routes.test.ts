import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { addPromoCode } from "#src/test-support/test-payments.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let staff: TestUser;
let owner: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  staff = await createStaff(testApp);
  owner = await createUser(testApp);
  await enrolEdge(testApp, staff, { name: "one" });
});
afterAll(() => testApp?.close());

const { staffPlans, staffPromoCodes, staffLocations, plans } = routes;
const reason = "New prices of the year";

function act(route: RouteDefinition, body: object, params: Record<string, string> = {}) {
  return call(testApp, route, { token: staff.token, params, body });
}

async function catalogue() {
  const answer = await call(testApp, staffPlans.listCatalogue, { token: staff.token });
  return staffPlans.listCatalogue.response.parse(answer.json());
}

async function plan(slug: string) {
  const found = (await catalogue()).plans.find((each) => each.slug === slug);
  if (found === undefined) throw new Error(`There is no plan ${slug}`);
  return found;
}

async function offered(language = "en") {
  const headers = { "accept-language": language };
  const options = { token: owner.token, headers };
  const answer = await call(testApp, plans.listPricingPlans, options);
  return plans.listPricingPlans.response.parse(answer.json()).plans;
}

async function offeredSupport(): Promise<string[]> {
  const answer = await call(testApp, plans.listSupportPlans, { token: owner.token });
  return plans.listSupportPlans.response.parse(answer.json()).plans.map(({ name }) => name);
}

describe("plans", () => {
  test("are added, changed in both languages, priced, retired and offered again", async () => {
    const { limits } = await plan("plus");
    const texts = { name: "Guild", description: "For guilds", features: ["Five domains"] };
    const body = { en: texts, ru: null, limits, position: 7, reason };
    const created = await act(staffPlans.createPlan, { ...body, slug: "guild", price_cents: 700 });
    expect(created.statusCode).toBe(201);
    expect((await offered()).map(({ name }) => name)).toContain("Guild");
    const again = await act(staffPlans.createPlan, { ...body, slug: "guild", price_cents: 700 });
    expect([again.statusCode, again.json().issues[0].path]).toEqual([409, "slug"]);

    const ru = { name: "Гильдия", description: "Для гильдий", features: ["Пять доменов"] };
    await act(staffPlans.editPlan, { ...body, ru }, { plan: "guild" });
    expect((await offered("ru")).map(({ name }) => name)).toContain("Гильдия");
    await act(staffPlans.pricePlan, { price_cents: 750, reason }, { plan: "guild" });
    expect((await offered()).find(({ name }) => name === "Guild")?.price).toBe("7.50");

    await act(staffPlans.offerPlan, { is_offered: false, reason }, { plan: "guild" });
    expect((await offered()).map(({ name }) => name)).not.toContain("Guild");
    expect(await plan("guild")).toMatchObject({ is_retired: true, price_cents: 750, ru });
    await act(staffPlans.offerPlan, { is_offered: true, reason }, { plan: "guild" });
    expect((await offered()).map(({ name }) => name)).toContain("Guild");
  });

  test("other limits reach the edges of every shield on the plan", async () => {
    const shield = await createShield(testApp, owner);
    const { en, ru, position, limits, holders } = await plan("free");
    expect(holders).toBe(1);
    const changed = { ...limits, players: 77 };
    const body = { en, ru, position, reason, limits: changed };
    expect((await act(staffPlans.editPlan, body, { plan: "free" })).statusCode).toBe(200);
    await until(async () => {
      const { config } = await testApp.platform.db
        .selectFrom("shield_revisions")
        .select("config")
        .where("shield_id", "=", shield.id)
        .orderBy("revision", "desc")
        .limit(1)
        .executeTakeFirstOrThrow();
      return JSON.parse(config).shares.players === 77;
    });
  });

  test("the free one has no price and stays on offer; unknown places are refused", async () => {
    const priced = await act(staffPlans.pricePlan, { price_cents: 100, reason }, { plan: "free" });
    expect(priced.statusCode).toBe(409);
    const retired = { is_offered: false, reason };
    expect((await act(staffPlans.offerPlan, retired, { plan: "free" })).statusCode).toBe(409);
    expect((await act(staffPlans.offerPlan, retired, { plan: "gold" })).statusCode).toBe(404);
    const { en, ru, position, limits } = await plan("plus");
    const locations = ["frankfurt", "atlantis"];
    const body = { en, ru, position, reason, limits: { ...limits, locations } };
    const lost = await act(staffPlans.editPlan, body, { plan: "plus" });
    expect([lost.statusCode, lost.json().issues[0].path]).toEqual([422, "limits.locations"]);
  });
});

describe("support plans", () => {
  test("are added, retired and given to an account without a charge", async () => {
    const texts = { name: "Night", description: "Answers at night" };
    const body = { en: texts, ru: null, position: 8, reason };
    await act(staffPlans.createSupportPlan, { ...body, slug: "night", price_cents: 900 });
    await act(staffPlans.priceSupportPlan, { price_cents: 950, reason }, { plan: "night" });
    const edit = { ...body, en: { ...texts, name: "Night shift" } };
    await act(staffPlans.editSupportPlan, edit, { plan: "night" });
    expect(await offeredSupport()).toContain("Night shift");

    const given = await act(
      staffPlans.giveSupportPlan,
      { email: owner.email, reason: "Sponsored" },
      { plan: "night" },
    );
    expect(given.statusCode).toBe(200);
    await act(staffPlans.offerSupportPlan, { is_offered: false, reason }, { plan: "night" });
    expect(await offeredSupport()).not.toContain("Night shift");
    const night = (await catalogue()).support_plans.find(({ slug }) => slug === "night");
    expect(night).toMatchObject({ is_retired: true, holders: 1, price_cents: 950 });
    const { id: nightId } = await testApp.platform.db
      .selectFrom("support_plans")
      .select("id")
      .where("slug", "=", "night")
      .executeTakeFirstOrThrow();
    const user = await call(testApp, routes.auth.user, { token: owner.token });
    expect(user.json().user.current_subscription_plan.support_plan_id).toBe(nightId);
    const unknown = await act(
      staffPlans.giveSupportPlan,
      { email: "nobody@example.com", reason },
      { plan: "night" },
    );
    expect([unknown.statusCode, unknown.json().issues[0].path]).toEqual([422, "email"]);
  });
});

describe("promo codes", () => {
  test("are added once, listed with their uses, and ended", async () => {
    const body = {
      code: "winter-26",
      percentage: 15,
      ends_at: null,
      per_user_max: 1,
      total_max: null,
      reason,
    };
    expect((await act(staffPromoCodes.addPromoCode, body)).statusCode).toBe(201);
    expect((await act(staffPromoCodes.addPromoCode, body)).statusCode).toBe(409);
    const ends_at = new Date(testApp.clock.now().getTime() - 1).toISOString();
    const past = await act(staffPromoCodes.addPromoCode, { ...body, code: "PAST", ends_at });
    expect([past.statusCode, past.json().issues[0].path]).toEqual([422, "ends_at"]);
    const listed = async () => {
      const answer = await call(testApp, staffPromoCodes.listPromoCodes, { token: staff.token });
      const { promo_codes } = staffPromoCodes.listPromoCodes.response.parse(answer.json());
      return promo_codes.find(({ code }) => code === "WINTER-26");
    };
    expect(await listed()).toMatchObject({ percentage: 15, claims: 0, bonus_cents: 0 });
    expect((await listed())?.is_over).toBe(false);
    testApp.clock.advance(1_000);
    const end = { promo: "WINTER-26" };
    expect((await act(staffPromoCodes.endPromoCode, { reason }, end)).statusCode).toBe(200);
    expect((await listed())?.is_over).toBe(true);
    expect((await act(staffPromoCodes.endPromoCode, { reason }, end)).statusCode).toBe(404);
    const other = await addPromoCode(testApp, { percentage: 5 });
    const gone = await act(staffPromoCodes.endPromoCode, { reason }, { promo: other });
    expect(gone.statusCode).toBe(200);
  });
});

describe("locations", () => {
  const body = { en: "Norway", ru: "Норвегия", flag_url: null, position: 5, reason };
  const invite = (location: string) =>
    act(routes.staffEdges.createEdge, { name: `edge-${location}`, location, reason });
  const choices = async () => {
    const answer = await call(testApp, plans.listLocations, { token: owner.token });
    return plans.listLocations.response.parse(answer.json()).locations;
  };

  test("are added for edges, and retired for new shields and edges", async () => {
    expect((await invite("oslo")).statusCode).toBe(422);
    const created = await act(staffLocations.createLocation, { ...body, name: "oslo" });
    expect(created.statusCode).toBe(201);
    const again = await act(staffLocations.createLocation, { ...body, name: "oslo" });
    expect(again.statusCode).toBe(409);
    await enrolEdge(testApp, staff, { name: "oslo-1", location: "oslo" });
    const oslo = async () => (await choices()).find(({ name }) => name === "oslo");
    expect(await oslo()).toMatchObject({ display_name: "Norway", is_available: true });

    const edit = { ...body, en: "Oslo", is_retired: true };
    await act(staffLocations.editLocation, edit, { location: "oslo" });
    expect(await oslo()).toMatchObject({ display_name: "Oslo", is_available: false });
    expect((await invite("oslo")).statusCode).toBe(422);
    const answer = await call(testApp, staffLocations.listLocations, { token: staff.token });
    const { locations } = staffLocations.listLocations.response.parse(answer.json());
    expect(locations.find(({ name }) => name === "oslo")).toMatchObject({
      is_retired: true,
      edges: 1,
      edges_online: 1,
      shields: 0,
      ru: "Норвегия",
    });
    await act(staffLocations.editLocation, { ...edit, is_retired: false }, { location: "oslo" });
    expect(await oslo()).toMatchObject({ is_available: true });
  });

  test("an unknown one cannot be changed", async () => {
    const edit = { ...body, is_retired: false };
    const answer = await act(staffLocations.editLocation, edit, { location: "atlantis" });
    expect(answer.statusCode).toBe(404);
  });
});
