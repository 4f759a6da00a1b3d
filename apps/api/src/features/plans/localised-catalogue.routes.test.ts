import { productFeatures } from "@palisade/contract/product-features";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { up } from "../../../migrations/0030-localised-catalogue.ts";
import { seed } from "../../../seeds/seed.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

const russian = /^[\P{L}\p{Script=Cyrillic}]*\p{Script=Cyrillic}/u;

let testApp: TestApp;
let user: TestUser;

beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  user = await createUser(testApp);
});
afterAll(() => testApp.close());

/** The answer to a user who reads the language. */
async function get<Response extends z.ZodType>(
  language: string,
  route: RouteDefinition & { readonly response: Response },
  params: Readonly<Record<string, string>> = {},
): Promise<z.infer<Response>> {
  const headers = { "accept-language": language };
  const answer = await call(testApp, route, { token: user.token, params, headers });
  return route.response.parse(answer.json());
}

async function locationNames(language: string): Promise<readonly string[]> {
  const { locations } = await get(language, routes.plans.listLocations);
  return locations.map(({ display_name }) => display_name);
}

async function plan(language: string, name: string) {
  const { plans } = await get(language, routes.plans.listPricingPlans);
  const found = plans.find((one) => one.name === name);
  if (found === undefined) throw new Error(`No plan ${name}`);
  const features = found.features.map(({ feature_name }) => feature_name);
  return { description: found.description, features };
}

const englishNames = ["This machine", "Germany", "Sweden", "Ukraine", "Kazakhstan"];
const russianNames = ["Эта машина", "Германия", "Швеция", "Украина", "Казахстан"];

describe("plans and locations in the language of the request", () => {
  test("locations are listed in Russian, in English, and in English for any other language", async () => {
    expect(await locationNames("ru-RU,ru;q=0.9,en;q=0.5")).toEqual(russianNames);
    expect(await locationNames("en")).toEqual(englishNames);
    expect(await locationNames("de")).toEqual(englishNames);
  });

  test("plans have translated descriptions and features, and the same name in every language", async () => {
    expect(await plan("ru", "Network")).toEqual({
      description: "Для сетей серверов",
      features: [
        "Всё, что есть в Pro",
        "100 доменов",
        "50 групп бэкендов",
        "Безлимитный трафик",
        `Игроков одновременно: до ${(30_000).toLocaleString("ru")}`,
      ],
    });
    expect(await plan("en", "Network")).toEqual({
      description: "For server networks",
      features: [
        "Everything in Pro",
        "100 domains",
        "50 backend groups",
        "Unlimited traffic",
        "Up to 30,000 players at once",
      ],
    });
  });

  test("no plan promises a feature that does not exist yet", async () => {
    for (const locale of ["en", "ru"]) {
      const plus = (await plan(locale, "Plus")).features.join();
      expect(plus.includes("Bedrock")).toBe(productFeatures.bedrock);
    }
  });

  test("every plan has as many features in Russian as in English", async () => {
    const { plans } = await get("ru", routes.plans.listPricingPlans);
    expect(plans).toHaveLength(4);
    for (const { name, description, features } of plans) {
      expect(description).toMatch(russian);
      expect(features).toHaveLength((await plan("en", name)).features.length);
    }
  });

  test("support plans, also the current user's, are translated", async () => {
    const { plans } = await get("ru", routes.plans.listSupportPlans);
    expect(plans.map(({ name }) => name)).toEqual(["Бесплатный", "Приоритетный", "Бизнес"]);
    for (const { description } of plans) expect(description).toMatch(russian);
    const inRussian = await get("ru", routes.auth.user);
    expect(inRussian.user.current_subscription_plan.name).toBe("Бесплатный");
    const inEnglish = await get("en", routes.auth.user);
    expect(inEnglish.user.current_subscription_plan.name).toBe("Free");
  });

  test("a shield shows its location and plan translated, or in English without a translation", async () => {
    const { id } = await createShield(testApp, user);
    const shown = async (language: string) => {
      const { server } = await get(language, routes.servers.getServer, { id });
      const overview = await get(language, routes.servers.getOverview, { id });
      return [server.location.display_name, server.pricing_plan.name, overview.pricing_plan.name];
    };
    expect(await shown("ru")).toEqual(["Эта машина", "Free", "Free"]);
    await testApp.platform.db
      .updateTable("pricing_plans")
      .set({ translations: JSON.stringify({ ru: { name: "Даром" } }) })
      .where("slug", "=", "free")
      .execute();
    expect(await shown("ru")).toEqual(["Эта машина", "Даром", "Даром"]);
    expect(await shown("en")).toEqual(["This machine", "Free", "Free"]);
    expect((await plan("ru", "Даром")).description).toBe("Everything a small server needs");
  });
});

describe("an installation of a version without translations", () => {
  test("gets translations, except for English texts that staff changed", async () => {
    const pool = new Pool({ connectionString: testApp.ownerUrl });
    const owner = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    try {
      await sql`
        alter table pricing_plans drop column translations;
        alter table support_plans drop column translations;
        alter table locations drop column translations;
        update locations set display_name = 'Frankfurt' where name = 'frankfurt';
        update pricing_plans set features = '["6 domains"]' where slug = 'plus';
      `.execute(owner);
      await up(owner);
    } finally {
      await owner.destroy();
    }
    // Nothing is translated before the seeds ran: everything is shown in English.
    expect(await locationNames("ru")).toEqual(englishNames.with(1, "Frankfurt"));
    await seed(testApp.platform.db);
    expect(await locationNames("ru")).toEqual(russianNames.with(1, "Frankfurt"));
    expect((await plan("ru", "Plus")).features).toEqual([
      "6 domains",
      `Игроков одновременно: до ${(3_000).toLocaleString("ru")}`,
    ]);
    expect((await plan("ru", "Pro")).features).toContain("20 доменов");
    const { plans } = await get("ru", routes.plans.listSupportPlans);
    expect(plans.map(({ name }) => name)).toEqual(["Бесплатный", "Приоритетный", "Бизнес"]);
  });

  test("keeps translations that staff wrote when it is seeded again", async () => {
    const { db } = testApp.platform;
    await db
      .updateTable("locations")
      .set({ translations: JSON.stringify({ ru: { display_name: "Стокгольм" } }) })
      .where("name", "=", "stockholm")
      .execute();
    await seed(db);
    expect(await locationNames("ru")).toContain("Стокгольм");
  });
});
