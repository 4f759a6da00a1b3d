import { routes } from "@palisade/contract/http/routes";
import type { CardBehaviour } from "@palisade/testing/stripe/state";
import { saveCardAtStripe } from "../card-samples.ts";
import { freshDomain } from "../test-domains.ts";
import { beginTopUp, confirm, referenceOf } from "../test-payments.ts";
import { createShield } from "../test-shields.ts";
import { call, createUser, expectStatus, openSession, type TestUser } from "../test-users.ts";
import type { Plan, YearsWorld } from "./years-world.ts";

/**
 * - `balance` tops up in time
 * - `card` has a saved card, `automatic` also tops up with it
 * - `late` pays after the period has ended, or after the shield has
 * - `by hand` renews on the last day; automatic renewal is off
 * - `never` pays nothing after a while
 */
export type Habit = "balance" | "card" | "automatic" | "late" | "by hand" | "never";

export interface Owner {
  readonly user: TestUser;
  habit: Habit;
  cardId: string | null;
  behaviour: CardBehaviour;
  isDeleted: boolean;
}

const habits: readonly (readonly [Habit, number])[] = [
  ["balance", 42],
  ["card", 30],
  ["automatic", 8],
  ["late", 10],
  ["by hand", 6],
  ["never", 4],
];

function pickHabit(random: YearsWorld["random"]): Habit {
  let left = random(100);
  for (const [habit, share] of habits) {
    if (left < share) return habit;
    left -= share;
  }
  return "balance";
}

export async function createOwner(world: YearsWorld): Promise<Owner> {
  const { testApp, stripe, random } = world;
  const user = await createUser(testApp);
  const habit = pickHabit(random);
  const owner: Owner = { user, habit, cardId: null, behaviour: "pays", isDeleted: false };
  if (habit !== "card" && habit !== "automatic") return owner;
  owner.cardId = (await saveCardAtStripe(testApp, stripe, user.token)).id;
  if (habit === "automatic") {
    const body = { enabled: true, threshold: 10, amount: 40 };
    await expectStatus(
      call(testApp, routes.automaticPayments.updateAutomaticTopUp, { token: user.token, body }),
      200,
    );
  }
  return owner;
}

/** Ways on which the api hears of a payment. */
export type Told = "return page" | "webhook" | "poller";

/** Tops up so many whole euros that the cents are covered. */
export async function topUp(
  world: YearsWorld,
  owner: Owner,
  cents: number,
  told: Told = "return page",
): Promise<void> {
  const { testApp, stripe } = world;
  const user = { ...owner.user, token: await openSession(testApp, owner.user) };
  const begun = await beginTopUp(testApp, user, { amount: Math.max(1, Math.ceil(cents / 100)) });
  const pay = (): void => void stripe.state.pay(referenceOf(begun), "card");
  if (told === "webhook") await world.delivering(/^checkout.session.completed$/, pay);
  else pay();
  if (told === "return page") await confirm(testApp, user, begun);
  world.count(`top-up, told by ${told}`);
}

/** Pays for a new shield and its first period. */
export async function buyShieldFor(world: YearsWorld, owner: Owner, plan: Plan): Promise<string> {
  const { testApp } = world;
  await topUp(world, owner, plan.cents);
  const user = { ...owner.user, token: await openSession(testApp, owner.user) };
  const { id } = await createShield(testApp, user, {
    pricing_plan_id: plan.id,
    domain: freshDomain(),
  });
  world.count("purchase");
  if (owner.habit === "by hand") await setToggles(world, owner, id, { automatic_renewal: false });
  return id;
}

export async function setToggles(
  { testApp }: YearsWorld,
  owner: Owner,
  id: string,
  body: { readonly automatic_renewal?: boolean; readonly include_balance?: boolean },
): Promise<void> {
  const token = await openSession(testApp, owner.user);
  await expectStatus(
    call(testApp, routes.servers.updateOverview, { token, params: { id }, body }),
    200,
  );
}
