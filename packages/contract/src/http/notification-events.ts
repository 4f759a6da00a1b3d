import { z } from "zod";
import { antibotLevels, editions, refusalReasons } from "../edge/plain-values.ts";
import { timestamp, uuid } from "./fields.ts";

/** The events that an owner can be told of, in the order of the lists. */
export const notificationEvents = [
  "attack.started",
  "attack.level_relaxed",
  "attack.ended",
  "backend.down",
  "backend.up",
  "domain.lost",
  "traffic.warning",
  "traffic.used_up",
  "plan.renewed",
  "plan.renewal_failed",
  "plan.expired",
  "member.joined",
] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/**
 * The events whose mails can be chosen. Mails about the rest concern the service itself: those that
 * exist are always sent.
 */
export const mailEvents = [
  "attack.started",
  "attack.level_relaxed",
  "attack.ended",
  "backend.down",
  "backend.up",
] as const satisfies readonly NotificationEvent[];
export type MailEvent = (typeof mailEvents)[number];

const ofShield = {
  server_id: uuid,
  server_name: z.string(),
};

const attackData = z.object({
  ...ofShield,
  attack_id: uuid.describe("The same in every message about this attack"),
  started_at: timestamp,
  ended_at: timestamp.nullable().describe("Null while it lasts"),
  peak_per_second: z.int().describe("Logins in a second"),
  datagrams_peak: z
    .int()
    .describe("Datagrams in a second to Bedrock ports, of no player, where they are an attack"),
  sources: z.int().describe("Different /24 and /64 networks, about"),
  editions: z
    .object({ java: z.int(), bedrock: z.int() })
    .nullable()
    .describe("Logins that had an outcome, by edition of the game; null while none is known"),
  refused: z.partialRecord(z.enum(refusalReasons), z.int()).describe("Logins, by reason"),
  refused_total: z.int(),
  relaxed_to: z.enum(antibotLevels).nullable(),
  message: z
    .string()
    .describe("The owner's own text, with its placeholders filled in; empty without one"),
});

const backendData = z.object({
  ...ofShield,
  backend_id: uuid,
  address: z.string().describe("Host and port"),
  edition: z
    .enum(editions)
    .describe("A server with a Bedrock port is watched at both of its ports"),
  group: z.string(),
  since: timestamp,
});

const domainData = z.object({
  ...ofShield,
  domain: z.string(),
  reason: z
    .enum(["unseen", "ended", "lost"])
    .describe("Its record has gone; it was never set up; another account has proven it"),
});

const trafficData = z.object({ ...ofShield, percent: z.int() });

const planData = z.object({ ...ofShield, ends_at: timestamp.describe("Of the paid period") });

const memberData = z.object({
  ...ofShield,
  member: z.string().describe("E-mail, masked"),
  role: z.string(),
});

const testData = z.object({ ...ofShield });

/** The data of each event. */
export const notificationData = {
  "attack.started": attackData,
  "attack.level_relaxed": attackData,
  "attack.ended": attackData,
  "backend.down": backendData,
  "backend.up": backendData,
  "domain.lost": domainData,
  "traffic.warning": trafficData,
  "traffic.used_up": trafficData,
  "plan.renewed": planData,
  "plan.renewal_failed": planData,
  "plan.expired": planData,
  "member.joined": memberData,
  "webhook.test": testData,
} as const satisfies Record<NotificationEvent | "webhook.test", z.ZodType>;

/** The type of a webhook's message: an event, or the test that the owner sends. */
export const webhookEventTypes = [...notificationEvents, "webhook.test"] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

export type NotificationData<T extends WebhookEventType> = z.infer<(typeof notificationData)[T]>;

const exampleServer = {
  server_id: "0199a3f2-7c10-7000-8000-5f1a2b3c4d01",
  server_name: "Skyline Survival",
};
const exampleAttack: NotificationData<"attack.started"> = {
  ...exampleServer,
  attack_id: "0199a3f2-7c10-7000-8000-5f1a2b3c4d31",
  started_at: "2026-11-01T12:00:00.000Z",
  ended_at: null,
  peak_per_second: 240,
  datagrams_peak: 0,
  sources: 85,
  editions: null,
  refused: { rate: 310 },
  refused_total: 310,
  relaxed_to: null,
  message: "",
};
const exampleBackend: NotificationData<"backend.down"> = {
  ...exampleServer,
  backend_id: "0199a3f2-7c10-7000-8000-5f1a2b3c4d32",
  address: "203.0.113.10:25565",
  edition: "java",
  group: "Default",
  since: "2026-11-01T12:00:00.000Z",
};

/** One body of each event, for the documentation and the tests of its formats. */
export const exampleEventData: { readonly [T in WebhookEventType]: NotificationData<T> } = {
  "attack.started": exampleAttack,
  "attack.level_relaxed": { ...exampleAttack, relaxed_to: "medium" },
  "attack.ended": {
    ...exampleAttack,
    ended_at: "2026-11-01T12:18:30.000Z",
    peak_per_second: 4_870,
    sources: 1_930,
    editions: { java: 12, bedrock: 273_480 },
    refused: { rate: 212_400, bot_check: 61_050 },
    refused_total: 273_450,
  },
  "backend.down": exampleBackend,
  "backend.up": { ...exampleBackend, since: "2026-11-01T12:04:00.000Z" },
  "domain.lost": { ...exampleServer, domain: "play.example.com", reason: "unseen" },
  "traffic.warning": { ...exampleServer, percent: 80 },
  "traffic.used_up": { ...exampleServer, percent: 100 },
  "plan.renewed": { ...exampleServer, ends_at: "2026-12-01T10:00:00.000Z" },
  "plan.renewal_failed": { ...exampleServer, ends_at: "2026-12-01T10:00:00.000Z" },
  "plan.expired": { ...exampleServer, ends_at: "2026-12-01T10:00:00.000Z" },
  "member.joined": { ...exampleServer, member: "b***@example.com", role: "operator" },
  "webhook.test": exampleServer,
};
