import { z } from "zod";
import { serverParams, timestamp, uuid } from "./fields.ts";
import { memberRights, memberRole } from "./member-rights.ts";
import { paged, pageQuery } from "./paging.ts";
import { plannedPlan } from "./plan-changes.ts";
import { defaultLimits, route } from "./route.ts";

export const serverStatuses = ["active", "expired", "blocked", "deleted"] as const;
export const serverRoles = ["owner", "member"] as const;

const octet = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const ipv4Pattern = new RegExp(`^${octet}(\\.${octet}){3}$`);
const hostnamePattern =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const ipv6Schema = z.ipv6();

/** IPv4, IPv6 or a host name; private ones are refused by the server outside development. */
export function isBackendAddress(value: string): boolean {
  return (
    ipv4Pattern.test(value) ||
    ipv6Schema.safeParse(value).success ||
    (hostnamePattern.test(value) && !/^[\d.]+$/.test(value))
  );
}

/** Domain in ASCII form: labels of up to 63, alphabetic or punycode top level. */
const domainPattern =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/**
 * Lower-cased ASCII form of a domain as typed, without a trailing dot (IDNA), or null
 * where it cannot be one. Runs in the browser and on the server alike.
 */
export function normalizeDomain(typed: string): string | null {
  const trimmed = typed.trim().replace(/\.$/, "");
  // Anything but letters, digits, hyphen, dot and non-ASCII letters could smuggle URL parts in.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(trimmed)) return null;
  let ascii: string;
  try {
    ascii = new URL(`http://${trimmed}`).hostname.toLowerCase();
  } catch {
    return null;
  }
  return domainPattern.test(ascii) ? ascii : null;
}

/**
 * As `normalizeDomain`, and `*.example.com` for all names below a domain. Whether a wildcard may
 * be claimed is another question: only after its parent was proven.
 */
export function normalizeClaim(typed: string): string | null {
  const trimmed = typed.trim();
  if (!trimmed.startsWith("*.")) return normalizeDomain(trimmed);
  const parent = normalizeDomain(trimmed.slice(2));
  return parent === null || parent.length > 251 ? null : `*.${parent}`;
}

export const serverName = z
  .string("server_name.required")
  .trim()
  .min(1, "server_name.required")
  .max(255, "server_name.max")
  .regex(/^[\p{L}\p{N} _-]+$/u, "server_name.characters");

const realIp = z
  .string("real_ip.required")
  .trim()
  .min(1, "real_ip.required")
  .max(253, "real_ip.invalid")
  .refine(isBackendAddress, "real_ip.invalid");

const realPort = z
  .number({
    error: (issue) =>
      issue.input === undefined || issue.input === null
        ? "real_port.required"
        : "real_port.integer",
  })
  .int("real_port.integer")
  .min(1, "real_port.range")
  .max(65_535, "real_port.range");

export const domain = z
  .string("domain.required")
  .trim()
  .min(1, "domain.required")
  .max(255, "domain.max")
  .refine((value) => normalizeDomain(value) !== null, "domain.invalid");

export const createServerBody = z.object({
  pricing_plan_id: z
    .string("pricing_plan_id.required")
    .min(1, "pricing_plan_id.required")
    .pipe(z.uuid("pricing_plan_id.invalid")),
  server_name: serverName,
  real_ip: realIp,
  real_port: realPort,
  location: z.string("location.required").min(1, "location.required").max(64, "location.required"),
  domain,
  cname_record: z
    .string("cname_record.required")
    .trim()
    .min(1, "cname_record.required")
    .max(255, "cname_record.max"),
  expected_price_cents: z
    .int("price.invalid")
    .min(0, "price.invalid")
    .optional()
    .describe("The price the buyer saw: where it is no longer the price, 409 `price_changed`"),
});

export type CreateServerBody = z.infer<typeof createServerBody>;

const antibot = z
  .enum(["on", "shadow", "off"])
  .describe(
    "What AntiBot does about an attack: in `shadow` mode it counts; `off`: it has no level, and " +
      "Advanced AntiBot is off",
  );

export type AntibotState = z.infer<typeof antibot>;

/** A shield on the list of the dashboard. */
export const serverListItem = z
  .object({
    id: uuid,
    server_name: z.string(),
    status: z.enum(serverStatuses),
    role: z.enum(serverRoles),
    img: z
      .string()
      .nullable()
      .describe("Where its picture is read with the same credential, another with every change"),
    domain: z.string().nullable().describe("First domain of the shield that is no wildcard"),
    cname_record: z.string(),
    players_online: z.int(),
    under_attack: z.boolean(),
    antibot,
    traffic_used_up: z
      .boolean()
      .describe("New players are refused until the month or the plan changes"),
    grace_ends_at: timestamp
      .nullable()
      .describe("While the shield is active without being paid for: until then"),
    players_history: z
      .array(z.int())
      .describe("Mean players of each of the last 24 hours, oldest first"),
    deleted_at: timestamp.nullable(),
    restorable_until: timestamp
      .nullable()
      .describe("Of a deleted one: until then it can be restored"),
  })
  .meta({ id: "ServerListItem" });

export const server = z
  .object({
    id: uuid,
    server_name: z.string(),
    status: z.enum(serverStatuses),
    role: z.enum(serverRoles),
    member_role: memberRole.nullable().describe("Null for the owner"),
    rights: memberRights.describe("Of the caller, by area"),
    pricing_plan: z.object({ id: uuid, name: z.string() }),
    cname_record: z.string(),
    domain: z.string().nullable(),
    location: z.object({ name: z.string(), display_name: z.string() }),
    created_at: timestamp,
  })
  .meta({ id: "Server" });

export const overview = z
  .object({
    server_name: z.string(),
    status: z.enum(serverStatuses),
    pricing_plan: z.object({ id: uuid, name: z.string() }),
    cname_record: z.string(),
    players_online: z.int(),
    connections_per_second: z.number(),
    bandwidth_bps: z.int().describe("Bits per second both ways, last minute"),
    formatted_bandwidth: z.string(),
    traffic: z.int().describe("Bytes relayed both ways this calendar month, UTC"),
    formatted_traffic: z.string(),
    traffic_used: z.string(),
    traffic_available: z.string().nullable().describe("Limit of the plan; null without one"),
    traffic_limit_bytes: z.int().nullable(),
    traffic_used_percent: z.number().nullable().describe("Capped at 100; null without a limit"),
    traffic_used_up: z
      .boolean()
      .describe("New players are refused until the month or the plan changes"),
    traffic_resets_at: timestamp.describe("Start of the next calendar month, UTC"),
    blocked_connections: z.int().describe("Refused connections of the last 24 h"),
    under_attack: z.boolean(),
    antibot,
    automatic_renewal: z.boolean(),
    include_balance: z.boolean(),
    renewal: z
      .object({
        charge_at: timestamp.describe("From then on the renewal is tried"),
        price: z.string(),
        price_cents: z.int(),
        outcome: z
          .enum(["covered", "short", "off"])
          .nullable()
          .describe(
            "Whether what is on file would pay it today; `off`: it will not be tried. Null for " +
              "members where it would say something about the owner's balance",
          ),
        missing: z
          .string()
          .nullable()
          .describe("What the balance lacks, two digits; null for members"),
        missing_cents: z.int().nullable(),
        paid_from: z
          .enum(["card", "balance"])
          .nullable()
          .describe("What is tried first; null for members"),
        is_due: z.boolean().describe("Whether the owner can renew now"),
      })
      .nullable()
      .describe("The next renewal as it looks now; null where the plan costs nothing"),
    planned_plan: plannedPlan
      .nullable()
      .describe("The plan of the next period, where it is another"),
    grace_ends_at: timestamp
      .nullable()
      .describe("While the shield is active without being paid for: until then"),
    blocked_reason: z
      .string()
      .nullable()
      .describe("The support's words to the owner, while it is blocked; null for members"),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    history: z
      .array(
        z.object({
          minute: timestamp,
          players: z.int(),
          joins: z.int(),
          pings: z.int(),
          refused: z.int(),
          bytes: z.int(),
        }),
      )
      .describe("The last 60 minutes that have telemetry, oldest first"),
  })
  .meta({ id: "ServerOverview" });

export type ServerListItem = z.infer<typeof serverListItem>;
export type Server = z.infer<typeof server>;
export type ServerOverview = z.infer<typeof overview>;

const edgeReceipt = z.object({
  edge: z.string(),
  location: z.string(),
  outcome: z.enum(["pending", "applied", "rejected"]),
  applied_in_ms: z.int().nullable(),
  reason: z
    .string()
    .nullable()
    .describe("Why an edge refused the revision and kept the last good one"),
});

/** How far the shield's newest revision has come: the receipt of a change. */
export const propagation = z
  .object({
    revision: z.int(),
    committed_at: timestamp,
    edges_total: z.int(),
    edges_applied: z.int(),
    edges_rejected: z.int(),
    applied_in_ms: z
      .int()
      .nullable()
      .describe("Until the last edge applied it; null while pending"),
    edges: z.array(edgeReceipt),
  })
  .meta({ id: "Propagation" });

export type Propagation = z.infer<typeof propagation>;

export const generateCname = route({
  id: "servers.generateCname",
  method: "POST",
  path: "/servers/generate-cname",
  family: "api",
  access: "customer",
  apiKey: "write",
  summary: "Reserve a CNAME target",
  success: 201,
  response: z.object({ cname_record: z.string() }),
  errors: ["unauthenticated", "idempotency_mismatch", "idempotency_in_progress"],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
  idempotent: true,
});

export const createServer = route({
  id: "servers.create",
  method: "POST",
  path: "/servers",
  family: "api",
  access: "customer",
  apiKey: "write",
  summary: "Create a Game Shield",
  body: createServerBody,
  success: 201,
  response: z.object({ server, message: z.string() }),
  errors: [
    "unauthenticated",
    "insufficient_funds",
    "plan_unavailable",
    "price_changed",
    "purchases_frozen",
    "domain_in_use",
    "cname_not_reserved",
    "location_unavailable",
    "idempotency_mismatch",
    "idempotency_in_progress",
  ],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
  idempotent: true,
});

export const listServers = route({
  id: "servers.list",
  method: "GET",
  path: "/servers",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "List owned and shared shields",
  querystring: pageQuery.extend({ status: z.enum(serverStatuses, "status.invalid").optional() }),
  success: 200,
  response: paged(serverListItem),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const getServer = route({
  id: "servers.get",
  method: "GET",
  path: "/servers/:id",
  family: "api",
  access: "member",
  area: "general",
  apiKey: "read",
  summary: "One shield",
  params: serverParams,
  success: 200,
  response: z.object({ server }),
  errors: ["unauthenticated", "not_found", "gone"],
  limits: defaultLimits.read,
});

export const getOverview = route({
  id: "servers.overview",
  method: "GET",
  path: "/servers/:id/overview",
  family: "api",
  access: "member",
  area: "general",
  apiKey: "read",
  summary: "Live figures of a shield",
  params: serverParams,
  success: 200,
  response: overview,
  errors: ["unauthenticated", "not_found", "gone"],
  limits: defaultLimits.read,
});

export const updateOverviewBody = z
  .object({
    automatic_renewal: z.boolean("boolean.invalid").optional(),
    include_balance: z.boolean("boolean.invalid").optional(),
  })
  .refine((b) => b.automatic_renewal !== undefined || b.include_balance !== undefined, {
    message: "toggle.required",
    path: ["automatic_renewal"],
  });

/** Seconds the renewal toggles stay locked after a change. */
export const toggleLockSeconds = 5;

export const updateOverview = route({
  id: "servers.updateOverview",
  method: "PUT",
  path: "/servers/:id/overview",
  family: "api",
  access: "owner",
  apiKey: "write",
  summary: "Change how a shield renews",
  params: serverParams,
  body: updateOverviewBody,
  success: 200,
  response: z.object({
    automatic_renewal: z.boolean(),
    include_balance: z.boolean(),
    message: z.string(),
  }),
  errors: ["unauthenticated", "not_found", "gone", "forbidden", "server_not_active"],
  limits: defaultLimits.change,
});

export const getPropagation = route({
  id: "servers.propagation",
  method: "GET",
  path: "/servers/:id/propagation",
  family: "api",
  access: "member",
  area: "general",
  apiKey: "read",
  summary: "Which edges run the newest revision",
  params: serverParams,
  querystring: z.object({
    revision: z.coerce
      .number("revision.invalid")
      .int("revision.invalid")
      .min(1, "revision.invalid")
      .max(2_147_483_647, "revision.invalid")
      .optional(),
  }),
  success: 200,
  response: propagation,
  errors: ["unauthenticated", "not_found", "gone"],
  limits: defaultLimits.read,
});

export const serverRoutes = {
  generateCname,
  createServer,
  listServers,
  getServer,
  getOverview,
  updateOverview,
  getPropagation,
};
