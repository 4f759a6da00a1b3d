import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { createShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { totalCents } from "#src/features/ledger/money.service.ts";
import type { CardCharge, SavedCards } from "#src/features/subscriptions/saved-cards.service.ts";
import { renewals, type RenewalJobsDeps } from "#src/features/renewals/renewals.jobs.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import type { TestApp } from "./test-app.ts";
import { freshDomain } from "./test-domains.ts";
import { giveMoney } from "./test-money.ts";
import { createShield, planIdOf, type PlanSlug } from "./test-shields.ts";
import { call, createUser, type TestUser } from "./test-users.ts";

export const hourMs = 3_600_000;

/** Cards of a provider that charges once per key and credits the balance, as the interface says. */
export function createStubCards(testApp: () => TestApp) {
  const outcomes = new Map<string, CardCharge>();
  const charges: { readonly userId: string; readonly cents: number; readonly key: string }[] = [];
  const cards: SavedCards = {
    hasSavedCard: async (userId) => outcomes.has(userId),
    async chargeSavedCard(userId, cents, key) {
      const outcome = outcomes.get(userId) ?? "none";
      if (charges.some((charge) => charge.key === key)) return "paid";
      if (outcome !== "paid") return outcome;
      await giveMoney(testApp(), { id: userId }, cents, "cash", `card:${key}`);
      charges.push({ userId, cents, key });
      return "paid";
    },
  };
  return { cards, outcomes, charges };
}

/** The dependencies of the jobs, as an api process has them. */
export function jobDeps(
  { platform, clock }: TestApp,
  cards: SavedCards,
  failpoint: Failpoint = () => undefined,
): RenewalJobsDeps {
  const { db, bus, log, mailer } = platform;
  const cookieSecret = Buffer.alloc(32, 7);
  const writes = createShieldWrites({ bus, clock, failpoint, allowUnproven: true, cookieSecret });
  return { db, clock, log, cards, mailer, failpoint, writes };
}

export const runRenewals = (deps: RenewalJobsDeps) => renewals(deps).run({});

/** The tests say when: the schedule's own runs would renew in between. */
export async function stopSchedules(testApp: TestApp): Promise<void> {
  await sql`delete from jobs.schedule`.execute(testApp.platform.db);
}

/** An owner with a shield on a plan, and nothing left of what it cost. */
export async function buyShield(testApp: TestApp, plan: PlanSlug = "plus", owner?: TestUser) {
  const buyer = owner ?? (await createUser(testApp));
  const price = { free: 0, plus: 900, pro: 2_900, network: 9_900 }[plan];
  if (price > 0) await giveMoney(testApp, buyer, price);
  const pricing_plan_id = await planIdOf(testApp, plan);
  const shield = await createShield(testApp, buyer, { pricing_plan_id, domain: freshDomain() });
  return { owner: buyer, shield };
}

export async function subscriptionOf(testApp: TestApp, shieldId: string) {
  return testApp.platform.db
    .selectFrom("subscriptions")
    .selectAll()
    .where("shield_id", "=", shieldId)
    .executeTakeFirst();
}

export async function statusOf(testApp: TestApp, shieldId: string): Promise<string> {
  const { status } = await testApp.platform.db
    .selectFrom("shields")
    .select("status")
    .where("id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return status;
}

export async function centsOf(testApp: TestApp, user: TestUser): Promise<number> {
  return totalCents(await balanceOf(testApp.platform.db, user.id));
}

/** The renewals of a shield in the ledger, by key. */
export async function renewalTxns(testApp: TestApp, shieldId: string) {
  return testApp.platform.db
    .selectFrom("ledger_txns")
    .select(["business_key", "kind"])
    .where("business_key", "like", `renewal:${shieldId}:%`)
    .orderBy("business_key")
    .execute();
}

export function setToggles(testApp: TestApp, owner: TestUser, shieldId: string, body: object) {
  return call(testApp, routes.servers.updateOverview, {
    token: owner.token,
    params: { id: shieldId },
    body,
  });
}

export function renew(testApp: TestApp, owner: TestUser, shieldId: string) {
  return call(testApp, routes.planChanges.renewServer, {
    token: owner.token,
    params: { id: shieldId },
  });
}

/** An attack on a shield that goes on until it is ended. */
export async function attack(testApp: TestApp, shieldId: string): Promise<() => Promise<void>> {
  const { db } = testApp.platform;
  const now = testApp.clock.now();
  await sql`
    insert into attacks (id, shield_id, started_at)
    values (gen_random_uuid(), ${shieldId}, ${now})
  `.execute(db);
  return async () => {
    await sql`update attacks set ended_at = ${testApp.clock.now()} where shield_id = ${shieldId}`.execute(
      db,
    );
  };
}
