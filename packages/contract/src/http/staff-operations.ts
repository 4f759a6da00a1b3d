import { z } from "zod";
import { timestamp } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";
import { staffReadErrors } from "./staff-errors.ts";

const count = z.int();

/** The state of the installation now. Lists are short, and name what staff have to look at. */
export const operations = z
  .object({
    at: timestamp,
    traffic: z.object({
      players: count,
      connections_per_second: z.number(),
      bandwidth_bps: count,
      attacks: count.describe("Running now"),
    }),
    shields: z.object({ active: count, expired: count, blocked: count, traffic_used_up: count }),
    edges: z.object({
      online: count,
      offline: count,
      drained: count,
      invited: count,
      behind: count.describe("Online, and not at the newest configuration"),
      rejecting: count.describe("Shields whose newest configuration an edge rejected"),
    }),
    jobs: z
      .array(
        z.object({
          name: z.string(),
          waiting: count,
          active: count,
          failed: count.describe("Given up within an hour"),
          oldest_at: timestamp.nullable().describe("Since when the oldest waits"),
        }),
      )
      .describe("Queues with something in them"),
    mails: z.object({ waiting: count, failed: count.describe("Given up within an hour") }),
    webhooks: z.object({
      waiting: count,
      retrying: count,
      failed: count.describe("Given up within 24 hours"),
      disabled: count.describe("Switched off, because they failed for too long"),
    }),
    money: z.object({
      frozen_since: timestamp.nullable(),
      quarantined: count,
      orders_waiting: count.describe("Orders that wait for a second staff member"),
      last_comparison: z
        .object({ day: z.string(), provider: z.string(), differences: count })
        .nullable()
        .describe("The newest comparison with a provider's list"),
    }),
    versions: z.object({
      api: z.string(),
      node: z.string(),
      database: z.string(),
      config: count.describe("Number of the configuration stream"),
      config_schema: count,
    }),
  })
  .meta({ id: "Operations" });

export type Operations = z.infer<typeof operations>;

export const readOperations = route({
  id: "staffOperations.get",
  method: "GET",
  path: "/staff/operations",
  family: "api",
  access: "staff",
  staffRoles: ["support", "billing", "operations"],
  apiKey: "none",
  summary: "The state of the installation",
  success: 200,
  response: z.object({ operations }),
  errors: [...staffReadErrors],
  limits: defaultLimits.read,
});

export const staffOperationRoutes = { readOperations };
