import { z } from "zod";
import { acknowledgement, timestamp, uuid } from "./fields.ts";
import { historyEntry } from "./history.ts";
import { paged, pageQuery } from "./paging.ts";
import { defaultLimits, route } from "./route.ts";
import { serverStatuses } from "./servers.ts";
import { staffChangeErrors, staffReadErrors } from "./staff-errors.ts";
import { staffReason } from "./staff-roles.ts";
import { tidyLine } from "./tidy-line.ts";

/** A shield as staff see it in lists. */
export const staffShield = z
  .object({
    id: uuid,
    server_name: z.string(),
    cname_record: z.string(),
    status: z.enum(serverStatuses),
    plan: z.object({ slug: z.string(), name: z.string() }),
    location: z.string(),
    owner: z.object({ id: uuid, email: z.string() }),
    players: z.int().describe("Now, on all edges"),
    created_at: timestamp,
  })
  .meta({ id: "StaffShield" });

export type StaffShield = z.infer<typeof staffShield>;

export const staffActionEntry = z
  .object({
    id: uuid,
    route: z.string().describe("Id of the call"),
    staff_email: z.string().nullable().describe("Null once the account was deleted"),
    reason: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: "StaffActionEntry" });

export type StaffActionEntry = z.infer<typeof staffActionEntry>;

export const staffShieldDetails = staffShield
  .extend({
    blocked_reason: z.string().nullable().describe("As the owner reads it"),
    deleted_at: timestamp.nullable(),
    traffic_used_up: z.boolean(),
    revision: z.int(),
    bedrock: z.object({
      default_granted: z.boolean().describe("Whether the shield may have the default port"),
      ports: z.array(z.int()),
    }),
    subscription: z
      .object({
        price_cents: z.int().describe("What a period costs the owner, without VAT"),
        period_ends_at: timestamp,
        automatic_renewal: z.boolean(),
        planned_plan: z.string().nullable().describe("The plan that begins with the next period"),
      })
      .nullable()
      .describe("Null without a paid plan"),
    domains: z.array(z.object({ name: z.string(), verified_at: timestamp.nullable() })),
    backends: z.array(
      z.object({
        group: z.string(),
        host: z.string(),
        port: z.int(),
        is_up: z.boolean().nullable().describe("Null while no edge has reported it"),
      }),
    ),
    edges: z
      .array(
        z.object({
          name: z.string(),
          location: z.string(),
          applied_revision: z.int().nullable(),
          rejected_revision: z.int().nullable(),
          reason: z.string().nullable().describe("Why it was rejected"),
        }),
      )
      .describe("Edges online that have to know the shield"),
    members: z.array(z.object({ id: uuid, email: z.string() })),
    history: z.array(historyEntry).describe("The newest changes"),
    actions: z.array(staffActionEntry).describe("The newest actions of staff, with reasons"),
  })
  .meta({ id: "StaffShieldDetails" });

export type StaffShieldDetails = z.infer<typeof staffShieldDetails>;

const params = z.object({ shieldId: uuid });

export const listShields = route({
  id: "staffShields.list",
  method: "GET",
  path: "/staff/shields",
  family: "api",
  access: "staff",
  staffRoles: ["support", "billing", "operations"],
  showsPersonalData: true,
  apiKey: "none",
  summary: "Find shields",
  querystring: pageQuery.extend({
    q: z
      .string()
      .overwrite(tidyLine)
      .max(254, "text.max")
      .describe("A part of a domain, CNAME target, name, backend address or e-mail of an owner")
      .optional(),
    status: z.enum(serverStatuses, "status.invalid").optional(),
    owner_id: uuid.describe("Shields of one account").optional(),
  }),
  success: 200,
  response: paged(staffShield),
  errors: [...staffReadErrors],
  limits: defaultLimits.read,
});

export const readShield = route({
  id: "staffShields.get",
  method: "GET",
  path: "/staff/shields/:shieldId",
  family: "api",
  access: "staff",
  staffRoles: ["support", "billing", "operations"],
  showsPersonalData: true,
  apiKey: "none",
  summary: "A shield with its owner, plan, edges and history",
  params,
  success: 200,
  response: z.object({ shield: staffShieldDetails }),
  errors: [...staffReadErrors, "not_found"],
  limits: defaultLimits.read,
});

/** Shown to the owner and to players, so shorter than other reasons. */
export const blockReason = staffReason.max(200, "block_reason.max");

export const blockShield = route({
  id: "staffShields.block",
  method: "POST",
  path: "/staff/shields/:shieldId/block",
  family: "api",
  access: "staff",
  staffRoles: ["operations"],
  apiKey: "none",
  summary: "Block a shield",
  params,
  body: z.object({ reason: blockReason.describe("The owner reads it, too") }),
  success: 200,
  response: acknowledgement,
  errors: [...staffChangeErrors, "not_found", "gone"],
  limits: defaultLimits.change,
});

export const unblockShield = route({
  id: "staffShields.unblock",
  method: "POST",
  path: "/staff/shields/:shieldId/unblock",
  family: "api",
  access: "staff",
  staffRoles: ["operations"],
  apiKey: "none",
  summary: "Lift the block of a shield",
  params,
  body: z.object({ reason: staffReason }),
  success: 200,
  response: acknowledgement,
  errors: [...staffChangeErrors, "not_found", "gone"],
  limits: defaultLimits.change,
});

export const setShieldPlan = route({
  id: "staffShields.setPlan",
  method: "PUT",
  path: "/staff/shields/:shieldId/plan",
  family: "api",
  access: "staff",
  staffRoles: ["billing"],
  apiKey: "none",
  summary: "Put a shield on a plan without charging",
  params,
  body: z.object({
    plan: z.string("required").overwrite(tidyLine).min(1, "required").max(64),
    reason: staffReason,
  }),
  success: 200,
  response: acknowledgement,
  errors: [...staffChangeErrors, "not_found", "gone", "plan_exceeded"],
  limits: defaultLimits.change,
});

export const setBedrockDefault = route({
  id: "staffShields.setBedrockDefault",
  method: "PUT",
  path: "/staff/shields/:shieldId/bedrock-default",
  family: "api",
  access: "staff",
  staffRoles: ["support", "operations"],
  apiKey: "none",
  summary: "Grant or take away the default Bedrock port",
  params,
  body: z.object({ granted: z.boolean("boolean.invalid"), reason: staffReason }),
  success: 200,
  response: acknowledgement,
  errors: [...staffChangeErrors, "not_found", "gone"],
  limits: defaultLimits.change,
});

export const staffShieldRoutes = {
  listShields,
  readShield,
  blockShield,
  unblockShield,
  setShieldPlan,
  setBedrockDefault,
};
