import { routes } from "@palisade/contract/http/routes";
import { newId } from "#src/platform/database/ids.ts";
import type { RouteSample } from "./route-sample.ts";
import { nothing } from "./sample-values.ts";
import { listInvoices, topUpBy, untilIssued } from "./test-documents.ts";
import { addPromoCode, sandboxDelivery } from "./test-payments.ts";
import { call } from "./test-users.ts";

/** An intent of the caller's; an API key acts for the owner. */
const ofIntent: RouteSample = async ({ testApp, owner, edgeCredential }, token) => {
  if (token === undefined || token === edgeCredential) return { params: { id: newId() } };
  const answer = await call(testApp, routes.billing.createStripeIntent, {
    token: token.startsWith("psk_") ? owner.token : token,
    body: { amount: 1, payment_method: "stripe" },
  });
  const { intent } = routes.billing.createStripeIntent.response.parse(answer.json());
  return { params: { id: intent.id } };
};

/** A document of the caller's; an API key acts for the owner. */
const ofDocument: RouteSample = async (world, token) => {
  const { testApp, owner, member, formerMember, stranger, staff } = world;
  const users = [owner, member, formerMember, stranger, staff];
  const user =
    token?.startsWith("psk_") === true ? owner : users.find((each) => each.token === token);
  if (user === undefined) return { params: { id: newId() } };
  await topUpBy(testApp, user, 100);
  await untilIssued(testApp);
  const [newest] = (await listInvoices(testApp, user)).data;
  return { params: { id: newest?.id ?? newId() } };
};

export const billingSamples = {
  "billing.options": nothing,
  "billing.createStripeIntent": () => ({ body: { amount: 1, payment_method: "stripe" } }),
  "billing.createPaypalOrder": () => ({ body: { amount: 1, payment_method: "paypal" } }),
  async "billing.validatePromoCode"({ testApp }) {
    const code = await addPromoCode(testApp, { percentage: 10 });
    return { body: { code, amount: 20 } };
  },
  "billing.intent": ofIntent,
  "billing.confirmIntent": ofIntent,
  "billing.closeIntent": ofIntent,
  "billing.transactions": nothing,
  "billing.transaction": ofIntent,
  "invoices.list": nothing,
  "invoices.export": nothing,
  "invoices.archive": async (world, token) => {
    await ofDocument(world, token);
    return { query: { year: String(world.testApp.clock.now().getUTCFullYear()) } };
  },
  "invoices.read": ofDocument,
  "invoices.pdf": ofDocument,
  "billing.webhook": ({ testApp }) => ({
    params: { provider: "sandbox" },
    ...sandboxDelivery(testApp, { type: "checkout.completed", data: { reference: newId() } }),
  }),
} satisfies Readonly<Record<`billing.${string}` | `invoices.${string}`, RouteSample>>;
