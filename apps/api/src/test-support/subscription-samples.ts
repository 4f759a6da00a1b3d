import { standIn } from "./account-samples.ts";
import type { RouteSample } from "./route-sample.ts";
import { giveMoney } from "./test-money.ts";
import { planIdOf } from "./test-shields.ts";
import type { TestWorld } from "./test-world.ts";

const hourMs = 3_600_000;
const nothing: RouteSample = () => ({});

/** The world's shield on the free plan, and money for every other. */
async function onFreePlan({ testApp, shieldId, owner }: TestWorld): Promise<void> {
  const { db } = testApp.platform;
  const free = await planIdOf(testApp, "free");
  await db.deleteFrom("subscriptions").where("shield_id", "=", shieldId).execute();
  await db
    .updateTable("shields")
    .set({ pricing_plan_id: free })
    .where("id", "=", shieldId)
    .execute();
  await giveMoney(testApp, owner, 9_900);
}

/** The paid period of the world's shield ends in an hour. */
async function nearItsEnd(world: TestWorld): Promise<void> {
  const { testApp, shieldId } = world;
  const { db } = testApp.platform;
  await onFreePlan(world);
  const now = testApp.clock.now().getTime();
  const pricing_plan_id = await planIdOf(testApp, "plus");
  await db.updateTable("shields").set({ pricing_plan_id }).where("id", "=", shieldId).execute();
  await db
    .insertInto("subscriptions")
    .values({
      shield_id: shieldId,
      pricing_plan_id,
      price_cents: 900,
      anchor_at: new Date(now - 30 * 24 * hourMs),
      period: 1,
      period_starts_at: new Date(now - 30 * 24 * hourMs),
      period_ends_at: new Date(now + hourMs + Math.floor(Math.random() * 1_000)),
      created_at: new Date(now),
    })
    .execute();
}

/** A caller who can pay every support plan, and has none. */
const ofBuyer: RouteSample = async (world, token) => {
  const { testApp, owner } = world;
  const user = (await standIn(world, token)) ?? owner;
  await testApp.platform.db
    .deleteFrom("support_subscriptions")
    .where("user_id", "=", user.id)
    .execute();
  await giveMoney(testApp, user, 1_900);
  const { id } = await testApp.platform.db
    .selectFrom("support_plans")
    .select("id")
    .where("slug", "=", "priority")
    .executeTakeFirstOrThrow();
  return { ...(user !== owner && { token: user.token }), body: { support_plan_id: id } };
};

export const subscriptionSamples = {
  async "planChanges.quote"(world) {
    await onFreePlan(world);
    const pricing_plan_id = await planIdOf(world.testApp, "network");
    return { params: { id: world.shieldId }, body: { pricing_plan_id } };
  },
  async "planChanges.change"(world) {
    await onFreePlan(world);
    const pricing_plan_id = await planIdOf(world.testApp, "network");
    return { params: { id: world.shieldId }, body: { pricing_plan_id } };
  },
  "planChanges.cancel": ({ shieldId }) => ({ params: { id: shieldId } }),
  async "servers.renew"(world) {
    await nearItsEnd(world);
    return { params: { id: world.shieldId } };
  },
  "supportPlans.quote": ofBuyer,
  "supportPlans.purchase": ofBuyer,
  "supportPlans.subscription": nothing,
  "supportPlans.cancelChange": nothing,
  "billing.forecast": nothing,
  "billing.getAutomaticTopUp": nothing,
  "billing.updateAutomaticTopUp": () => ({ body: { enabled: false, threshold: 10, amount: 20 } }),
} satisfies Record<string, RouteSample>;
