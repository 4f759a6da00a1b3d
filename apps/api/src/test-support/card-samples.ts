import { routes } from "@palisade/contract/http/routes";
import type { Card } from "@palisade/testing/stripe/objects";
import type { CardBehaviour } from "@palisade/testing/stripe/state";
import type { StripeServer } from "@palisade/testing/stripe/stripe-server";
import { newId } from "#src/platform/database/ids.ts";
import type { RouteSample } from "./route-sample.ts";
import type { TestApp } from "./test-app.ts";
import { call, expectStatus } from "./test-users.ts";

/** Makes room: an account may save few cards, and tests call every route many times. */
async function forgetOldest(testApp: TestApp, token: string): Promise<void> {
  const list = routes.paymentMethods.listCards;
  const answer = await expectStatus(call(testApp, list, { token }), 200);
  const { cards } = list.response.parse(answer.json());
  if (cards.length < 5) return;
  await testApp.platform.db
    .updateTable("saved_cards")
    .set({ removed_at: testApp.clock.now(), is_default: false })
    .where(
      "id",
      "in",
      cards.map(({ id }) => id),
    )
    .execute();
}

/** Begins to save a card, as the console does; the sandbox saves one that pays, at once. */
export async function beginCardSetup(testApp: TestApp, token: string): Promise<string> {
  await forgetOldest(testApp, token);
  const answer = await expectStatus(call(testApp, routes.paymentMethods.setupCard, { token }), 201);
  return routes.paymentMethods.setupCard.response.parse(answer.json()).setup.id;
}

/** Saves a card at the sandbox. @returns its id */
async function saveSandboxCard(testApp: TestApp, token: string): Promise<string> {
  const confirm = routes.paymentMethods.confirmCardSetup;
  const params = { setupId: await beginCardSetup(testApp, token) };
  const answer = await expectStatus(call(testApp, confirm, { token, params }), 200);
  const { cards } = confirm.response.parse(answer.json());
  const [newest] = cards.toSorted((a, b) => b.id.localeCompare(a.id));
  if (newest === undefined) throw new Error("No card was saved");
  return newest.id;
}

/** Saves a card at the stand-in of Stripe that answers charges as told. */
export async function saveCardAtStripe(
  testApp: TestApp,
  stripe: StripeServer,
  token: string,
  behaviour: CardBehaviour = "pays",
): Promise<Card> {
  const setup = await expectStatus(call(testApp, routes.paymentMethods.setupCard, { token }), 201);
  const begun = routes.paymentMethods.setupCard.response.parse(setup.json());
  const card = stripe.state.saveCard(begun.checkout_url.split("/").at(-1) ?? "", {}, behaviour);
  const params = { setupId: begun.setup.id };
  await expectStatus(call(testApp, routes.paymentMethods.confirmCardSetup, { token, params }), 200);
  return card;
}

/** A set-up or card of the caller's; an API key acts for the owner. */
function ofOwn(
  name: "setupId" | "cardId",
  make: (testApp: TestApp, token: string) => Promise<string>,
): RouteSample {
  return async ({ testApp, owner, edgeCredential }, token) => {
    if (token === undefined || token === edgeCredential) return { params: { [name]: newId() } };
    const session = token.startsWith("psk_") ? owner.token : token;
    return { params: { [name]: await make(testApp, session) } };
  };
}

const ofCard = ofOwn("cardId", saveSandboxCard);

export const cardSamples = {
  "paymentMethods.list": () => ({}),
  "paymentMethods.setup": () => ({}),
  "paymentMethods.confirmSetup": ofOwn("setupId", beginCardSetup),
  "paymentMethods.setDefault": ofCard,
  "paymentMethods.remove": ofCard,
} satisfies Record<string, RouteSample>;
