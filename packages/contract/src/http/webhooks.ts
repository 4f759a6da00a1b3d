import { z } from "zod";
import { acknowledgement, serverParams, timestamp, uuid } from "./fields.ts";
import { notificationEvents, webhookEventTypes } from "./notification-events.ts";
import { defaultLimits, route } from "./route.ts";

export const webhooksMax = 10;
export const webhookUrlMax = 500;

export const webhookFormats = ["json", "discord", "slack", "telegram"] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** Characters of an answer that are kept. */
export const webhookAnswerMax = 2_000;
/** Hours in which the former secret signs too. */
export const formerSecretHours = 24;

const urlForms: Readonly<Record<Exclude<WebhookFormat, "json">, RegExp>> = {
  discord: /^https:\/\/(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]+$/,
  slack: /^https:\/\/hooks\.slack\.com\/services\/\w+\/\w+\/\w+$/,
  telegram:
    /^https:\/\/api\.telegram\.org\/bot\d+:[\w-]+\/sendMessage\?chat_id=(?:-?\d+|@[A-Za-z]\w+)$/,
};

/** Whether the address has the form that the service of the format gives. */
export function hasFormOf({
  format,
  url,
}: {
  readonly format: WebhookFormat;
  readonly url: string;
}): boolean {
  // Nothing at all is refused on its own.
  if (url === "") return true;
  return format === "json" ? isPlainAddress(url) : urlForms[format].test(url);
}

/** Without credentials; plain `http` only reaches this machine, in development. */
function isPlainAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password, hash } = new URL(url);
  return /^https?:$/.test(protocol) && username === "" && password === "" && hash === "";
}

const events = z
  .array(z.enum(notificationEvents, "notification.event"), "notification.event")
  .min(1, "notification.events_required")
  .max(notificationEvents.length, "notification.event");

export const addWebhookBody = z
  .object({
    url: z
      .string("webhook.url")
      .trim()
      .min(1, "webhook.url_required")
      .max(webhookUrlMax, "webhook.url")
      .regex(/^[\x21-\x7e]*$/, "webhook.url")
      .describe("Kept encrypted, and shown masked from then on"),
    format: z.enum(webhookFormats, "webhook.format").default("json"),
    events: events.default([...notificationEvents]),
  })
  .refine(hasFormOf, { path: ["url"], error: "webhook.url_of_format" })
  .meta({ id: "WebhookCreate" });

export const updateWebhookBody = z
  .object({ events: events.optional(), enabled: z.boolean("boolean.invalid").optional() })
  .meta({ id: "WebhookUpdate" });

export const webhook = z
  .object({
    id: uuid,
    format: z.enum(webhookFormats),
    url: z.string().describe("Masked: what may be a secret in it is not shown"),
    events: z.array(z.enum(notificationEvents)),
    enabled: z.boolean(),
    disabled_reason: z
      .enum(["owner", "failing", "gone"])
      .nullable()
      .describe("Switched off by a person, after days of failures, or by its receiver's 410"),
    failing_since: timestamp.nullable().describe("Null while its receiver takes messages"),
    former_secret_until: timestamp.nullable().describe("Until then two secrets sign"),
    created_at: timestamp,
  })
  .meta({ id: "Webhook" });

export type Webhook = z.infer<typeof webhook>;

export const webhookDelivery = z
  .object({
    id: uuid.describe("`webhook-id` of the request, the same in every try"),
    type: z.enum(webhookEventTypes),
    state: z
      .enum(["pending", "delivered", "failed", "superseded"])
      .describe("Superseded: a later message about the same attack took its place"),
    attempts: z.int(),
    created_at: timestamp,
    last_attempt_at: timestamp.nullable(),
    next_attempt_at: timestamp.nullable(),
    request: z
      .string()
      .nullable()
      .describe(
        "The body; null where the caller may not view what it is about: `logs` for attacks, `backends`, `domains`, `history` for members; plan and traffic are the owner's",
      ),
    status: z.int().nullable().describe("Of the last answer; null without one"),
    answer: z
      .string()
      .max(webhookAnswerMax)
      .describe("Its beginning; empty where `request` is null"),
    error: z
      .enum(["timeout", "refused_address", "network", "unreadable"])
      .nullable()
      .describe("Why there was no answer to the last try"),
    latency_ms: z.int().nullable(),
  })
  .meta({ id: "WebhookDelivery" });

export type WebhookDelivery = z.infer<typeof webhookDelivery>;

const secret = z
  .string()
  .nullable()
  .describe("`whsec_…`, shown here and never again; null for a chat, which checks no signature");

const memberErrors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;
const writeErrors = [...memberErrors, "server_not_active"] as const;
const webhookParams = serverParams.extend({ webhookId: uuid });
const deliveryParams = webhookParams.extend({ deliveryId: uuid });
const ofShield = { family: "api", access: "member", area: "notifications" } as const;

export const listWebhooks = route({
  id: "webhooks.list",
  method: "GET",
  path: "/servers/:id/webhooks",
  ...ofShield,
  apiKey: "read",
  summary: "List the webhooks of a shield",
  params: serverParams,
  success: 200,
  response: z.object({ webhooks: z.array(webhook) }),
  errors: [...memberErrors],
  limits: defaultLimits.read,
});

export const addWebhook = route({
  id: "webhooks.add",
  method: "POST",
  path: "/servers/:id/webhooks",
  ...ofShield,
  apiKey: "write",
  summary: "Add a webhook",
  params: serverParams,
  body: addWebhookBody,
  success: 201,
  response: acknowledgement.extend({ webhook, secret }),
  errors: [...writeErrors, "list_full"],
  limits: [{ per: "shield", max: 60, windowSeconds: 3_600 }],
});

export const updateWebhook = route({
  id: "webhooks.update",
  method: "PUT",
  path: "/servers/:id/webhooks/:webhookId",
  ...ofShield,
  apiKey: "write",
  summary: "Change the events of a webhook, or switch it",
  params: webhookParams,
  body: updateWebhookBody,
  success: 200,
  response: acknowledgement.extend({ webhook }),
  errors: [...writeErrors],
  limits: [{ per: "shield", max: 120, windowSeconds: 600 }],
});

export const removeWebhook = route({
  id: "webhooks.remove",
  method: "DELETE",
  path: "/servers/:id/webhooks/:webhookId",
  ...ofShield,
  apiKey: "write",
  summary: "Delete a webhook and its deliveries",
  params: webhookParams,
  success: 200,
  response: acknowledgement,
  errors: [...writeErrors],
  limits: [{ per: "shield", max: 120, windowSeconds: 600 }],
});

export const rotateWebhookSecret = route({
  id: "webhooks.rotateSecret",
  method: "POST",
  path: "/servers/:id/webhooks/:webhookId/rotate-secret",
  ...ofShield,
  apiKey: "none",
  summary: "Give a webhook a new signing secret",
  params: webhookParams,
  success: 200,
  response: acknowledgement.extend({ webhook, secret }),
  errors: [...writeErrors],
  limits: [{ per: "shield", max: 30, windowSeconds: 3_600 }],
});

export const testWebhook = route({
  id: "webhooks.test",
  method: "POST",
  path: "/servers/:id/webhooks/:webhookId/test",
  ...ofShield,
  apiKey: "write",
  summary: "Send a test message to a webhook",
  params: webhookParams,
  success: 201,
  response: acknowledgement.extend({ delivery: webhookDelivery }),
  errors: [...writeErrors],
  limits: [{ per: "shield", max: 30, windowSeconds: 600 }],
});

export const listWebhookDeliveries = route({
  id: "webhooks.deliveries",
  method: "GET",
  path: "/servers/:id/webhooks/:webhookId/deliveries",
  ...ofShield,
  apiKey: "read",
  summary: "List what was sent to a webhook",
  params: webhookParams,
  querystring: z.object({
    cursor: z.string("cursor.invalid").max(200, "cursor.invalid").optional(),
  }),
  success: 200,
  response: z.object({
    data: z.array(webhookDelivery).max(50),
    next_cursor: z.string().nullable().describe("For the deliveries before; null at the end"),
  }),
  errors: [...memberErrors],
  limits: defaultLimits.read,
});

export const redeliverWebhook = route({
  id: "webhooks.redeliver",
  method: "POST",
  path: "/servers/:id/webhooks/:webhookId/deliveries/:deliveryId/redeliver",
  ...ofShield,
  apiKey: "write",
  summary: "Send a message to a webhook again",
  params: deliveryParams,
  success: 200,
  response: acknowledgement.extend({ delivery: webhookDelivery }),
  errors: [...writeErrors],
  limits: [{ per: "shield", max: 120, windowSeconds: 600 }],
});

export const webhookRoutes = {
  listWebhooks,
  addWebhook,
  updateWebhook,
  removeWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  redeliverWebhook,
};
