import { z } from "zod";
import { timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

/** Cards that one account may save. */
export const savedCardsMax = 10;

export const savedCard = z
  .object({
    id: uuid,
    brand: z.string().describe("As the provider names it, e.g. visa or mastercard"),
    last4: z.string(),
    exp_month: z.int(),
    exp_year: z.int(),
    is_expired: z.boolean(),
    is_default: z.boolean().describe("Renewals and automatic top-ups charge this one"),
    created_at: timestamp,
  })
  .meta({ id: "SavedCard" });

/** `mode` is `unavailable` where no provider keeps cards. */
const cardList = z.object({
  mode: z.enum(["live", "sandbox", "unavailable"]),
  cards: z.array(savedCard),
});

const cardAnswer = cardList.extend({ message: z.string() });

/**
 * - `open` the provider has not said anything final
 * - `completed` its card is saved
 * - `ended` no card was saved
 */
export const cardSetupStatuses = ["open", "completed", "ended"] as const;

const cardSetup = z
  .object({ id: uuid, status: z.enum(cardSetupStatuses) })
  .meta({ id: "CardSetup" });

export type SavedCard = z.infer<typeof savedCard>;
export type CardList = z.infer<typeof cardList>;

export const listCards = route({
  id: "paymentMethods.list",
  method: "GET",
  path: "/billing/cards",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "List saved cards, the default first",
  success: 200,
  response: cardList,
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const setupCard = route({
  id: "paymentMethods.setup",
  method: "POST",
  path: "/billing/cards/setup",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Begin to save a card, on the provider's page",
  success: 201,
  response: z.object({
    checkout_url: z.string().describe("Absolute, or a path of this site for the sandbox"),
    setup: z.object({ id: uuid }),
  }),
  errors: [
    "unauthenticated",
    "payment_unavailable",
    "conflict",
    "idempotency_mismatch",
    "idempotency_in_progress",
  ],
  limits: [{ per: "user", max: 30, windowSeconds: 3600 }],
  idempotent: true,
});

export const confirmCardSetup = route({
  id: "paymentMethods.confirmSetup",
  method: "POST",
  path: "/billing/cards/setup/:setupId/confirm",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Ask the provider for the card that was saved, now",
  params: z.object({ setupId: uuid }),
  success: 200,
  response: cardList.extend({ setup: cardSetup }),
  errors: ["unauthenticated", "not_found"],
  limits: [{ per: "user", max: 60, windowSeconds: 600 }],
});

const cardParams = z.object({ cardId: uuid });

export const setDefaultCard = route({
  id: "paymentMethods.setDefault",
  method: "PUT",
  path: "/billing/cards/:cardId/default",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Choose the card that renewals charge",
  params: cardParams,
  success: 200,
  response: cardAnswer,
  errors: ["unauthenticated", "not_found"],
  limits: [{ per: "user", max: 60, windowSeconds: 600 }],
});

export const removeCard = route({
  id: "paymentMethods.remove",
  method: "DELETE",
  path: "/billing/cards/:cardId",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Remove a saved card",
  recent: true,
  params: cardParams,
  success: 200,
  response: cardAnswer,
  errors: ["unauthenticated", "step_up_required", "not_found"],
  limits: [{ per: "user", max: 60, windowSeconds: 600 }],
});

export const paymentMethodRoutes = {
  listCards,
  setupCard,
  confirmCardSetup,
  setDefaultCard,
  removeCard,
};
