import type { RouteId } from "@palisade/contract/http/routes";
import { newId } from "#src/platform/database/ids.ts";
import type { RouteSample } from "./route-sample.ts";
import { addPromoCode } from "./test-payments.ts";
import { inviteEdge, type TestWorld } from "./test-world.ts";

type StaffId = Extract<
  RouteId,
  `staff${"Announcements" | "Books" | "Edges" | "Locations" | "Operations" | "Plans" | "PromoCodes" | "Shields"}.${string}`
>;

const nothing: RouteSample = () => ({});
const reason = "Asked for by the owner";
const fresh = (): string => newId().slice(-12);

const ofShield: RouteSample = ({ shieldId }) => ({ params: { shieldId }, body: { reason } });

const texts = { name: "Sample", description: "For tests", features: ["One domain"] };
const supportTexts = { name: "Sample", description: "For tests" };

/** As seeded: other limits would have all shields compiled again. */
async function limitsOf({ testApp }: TestWorld, slug: string): Promise<unknown> {
  const row = await testApp.platform.db
    .selectFrom("pricing_plans")
    .select("limits")
    .where("slug", "=", slug)
    .executeTakeFirstOrThrow();
  return row.limits;
}

const plan = { en: texts, ru: null, position: 9, reason };
const supportPlan = { en: supportTexts, ru: supportTexts, position: 9, reason };

/** A plan that nothing else uses. */
async function freshPlan(world: TestWorld): Promise<string> {
  const slug = `plan-${fresh()}`;
  await world.testApp.platform.db
    .insertInto("pricing_plans")
    .values({
      id: newId(),
      slug,
      name: "Sample",
      description: "For tests",
      price_cents: 500,
      features: "[]",
      limits: JSON.stringify(await limitsOf(world, "plus")),
      position: 9,
      retired_at: world.testApp.clock.now(),
    })
    .execute();
  return slug;
}

const edge: RouteSample = async ({ testApp, staff }) => {
  const { id } = await inviteEdge(testApp, staff);
  return { params: { edgeId: id }, body: { reason } };
};

/** One that is enrolled, as the product has it. */
const enrolledEdge: RouteSample = async ({ testApp, staff }) => {
  const { id } = await inviteEdge(testApp, staff);
  await testApp.platform.db
    .updateTable("edges")
    .set({ enrolled_at: testApp.clock.now(), token_hash: null, token_expires_at: null })
    .where("id", "=", id)
    .execute();
  return { params: { edgeId: id }, body: { drained: true, even_last: true, reason } };
};

const quarantined: RouteSample = async ({ testApp }) => {
  const id = newId();
  await testApp.platform.db
    .insertInto("quarantined_payments")
    .values({
      id,
      provider: "sandbox",
      reference: `sample-${id}`,
      intent_id: null,
      user_id: null,
      reason: "this installation ordered no such payment",
      amount_cents: 500,
      currency: "EUR",
      account: "sandbox",
      found_at: testApp.clock.now(),
      resolved_by: null,
      resolved_at: null,
      resolution_reason: null,
    })
    .execute();
  return { params: { caseId: id }, body: { resolution: "dismiss", reason } };
};

const announcement = (world: TestWorld) => ({
  level: "info",
  en: "Maintenance in Frankfurt",
  ru: "Работы во Франкфурте",
  starts_at: world.testApp.clock.now().toISOString(),
  ends_at: null,
  reason,
});

const ofAnnouncement: RouteSample = async (world) => {
  const id = newId();
  const now = world.testApp.clock.now();
  await world.testApp.platform.db
    .insertInto("announcements")
    .values({
      id,
      level: "info",
      text_en: "Maintenance",
      text_ru: "Работы",
      starts_at: now,
      ends_at: null,
      created_at: now,
      changed_at: now,
    })
    .execute();
  return { params: { announcementId: id }, body: announcement(world) };
};

export const staffOperationsSamples: Readonly<Record<StaffId, RouteSample>> = {
  "staffShields.list": nothing,
  "staffShields.get": ({ shieldId }) => ({ params: { shieldId } }),
  // As it is already: a blocked shield would answer the next calls otherwise.
  async "staffShields.block"({ testApp, owner, shieldId }) {
    const now = testApp.clock.now();
    const id = newId();
    const { pricing_plan_id, location } = await testApp.platform.db
      .selectFrom("shields")
      .select(["pricing_plan_id", "location"])
      .where("id", "=", shieldId)
      .executeTakeFirstOrThrow();
    await testApp.platform.db
      .insertInto("shields")
      .values({
        id,
        owner_id: owner.id,
        server_name: "Blocked",
        status: "blocked",
        pricing_plan_id,
        cname_record: `${fresh()}.gs.localhost`,
        location,
        created_at: now,
        deleted_at: null,
      })
      .execute();
    return { params: { shieldId: id }, body: { reason } };
  },
  "staffShields.unblock": ofShield,
  async "staffShields.setPlan"({ testApp, shieldId }) {
    const { slug } = await testApp.platform.db
      .selectFrom("shields")
      .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
      .select("pricing_plans.slug")
      .where("shields.id", "=", shieldId)
      .executeTakeFirstOrThrow();
    return { params: { shieldId }, body: { plan: slug, reason } };
  },
  "staffShields.setBedrockDefault": ({ shieldId }) => ({
    params: { shieldId },
    body: { granted: true, reason },
  }),

  "staffPlans.list": nothing,
  async "staffPlans.create"(world) {
    const limits = await limitsOf(world, "plus");
    return { body: { ...plan, slug: `new-${fresh()}`, price_cents: 500, limits } };
  },
  async "staffPlans.edit"(world) {
    const slug = await freshPlan(world);
    return { params: { plan: slug }, body: { ...plan, limits: await limitsOf(world, "plus") } };
  },
  async "staffPlans.price"(world) {
    return { params: { plan: await freshPlan(world) }, body: { price_cents: 700, reason } };
  },
  async "staffPlans.offer"(world) {
    return { params: { plan: await freshPlan(world) }, body: { is_offered: false, reason } };
  },
  "staffPlans.createSupport": () => ({
    body: { ...supportPlan, slug: `new-${fresh()}`, price_cents: 500 },
  }),
  // As it is already.
  "staffPlans.editSupport": async ({ testApp }) => {
    const row = await testApp.platform.db
      .selectFrom("support_plans")
      .select(["name", "description", "translations", "position"])
      .where("slug", "=", "priority")
      .executeTakeFirstOrThrow();
    const { name, description, translations, position } = row;
    const ru = translations.ru ?? null;
    return {
      params: { plan: "priority" },
      body: { en: { name, description }, ru, position, reason },
    };
  },
  "staffPlans.priceSupport": () => ({
    params: { plan: "priority" },
    body: { price_cents: 1_900, reason },
  }),
  "staffPlans.offerSupport": () => ({
    params: { plan: "priority" },
    body: { is_offered: true, reason },
  }),
  "staffPlans.giveSupport": ({ formerMember }) => ({
    params: { plan: "priority" },
    body: { email: formerMember.email, reason },
  }),

  "staffPromoCodes.list": nothing,
  "staffPromoCodes.add": () => ({
    body: {
      code: `NEW-${fresh()}`,
      percentage: 10,
      ends_at: null,
      per_user_max: 1,
      total_max: 100,
      reason,
    },
  }),
  async "staffPromoCodes.end"({ testApp }) {
    const promo = await addPromoCode(testApp, { percentage: 10 });
    return { params: { promo }, body: { reason } };
  },

  "staffBooks.quarantine": nothing,
  "staffBooks.resolve": quarantined,
  "staffBooks.purchases": nothing,
  // As it is already: frozen purchases would refuse the calls of others.
  "staffBooks.freeze": () => ({ body: { is_frozen: false, reason } }),
  "staffBooks.check": nothing,

  "staffLocations.list": nothing,
  "staffLocations.create": () => ({
    body: {
      name: `place-${fresh()}`,
      en: "Somewhere",
      ru: "Где-то",
      flag_url: null,
      position: 9,
      reason,
    },
  }),
  "staffLocations.edit": () => ({
    params: { location: "kyiv" },
    body: {
      en: "Ukraine",
      ru: "Украина",
      flag_url: "/flags/ua.svg",
      position: 3,
      is_retired: false,
      reason,
    },
  }),

  "staffEdges.list": nothing,
  "staffEdges.create": () => ({
    body: { name: `sample-${newId()}`, location: "local", reason },
  }),
  "staffEdges.revoke": edge,
  "staffEdges.drain": enrolledEdge,

  "staffOperations.get": nothing,

  "staffAnnouncements.list": nothing,
  "staffAnnouncements.create": (world) => ({ body: announcement(world) }),
  "staffAnnouncements.update": ofAnnouncement,
  async "staffAnnouncements.delete"(world, token) {
    const { params = {} } = await ofAnnouncement(world, token);
    return { params, body: { reason } };
  },
};
