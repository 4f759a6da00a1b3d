import { z } from "zod";
import { timestamp, uuid } from "./fields.ts";
import { paged, pageQuery } from "./paging.ts";
import { defaultLimits, route } from "./route.ts";
import { tidyLine } from "./tidy-line.ts";

export const auditEntry = z
  .object({
    id: uuid,
    actor: z.string().describe("In words: an e-mail, an API key by its name, the operator"),
    method: z.string(),
    endpoint: z.string(),
    full_url: z.string().describe("Without secrets"),
    response_status: z.int(),
    ip: z.string(),
    duration_ms: z.int().nullable(),
    created_at: timestamp,
  })
  .meta({ id: "AuditEntry" });

export type AuditEntry = z.infer<typeof auditEntry>;

export const auditFilter = z.object({
  endpoint: z.string().overwrite(tidyLine).max(200, "text.max").optional(),
  method: z
    .enum(["GET", "POST", "PUT", "DELETE", "CLI"], "method.invalid")
    .describe("`CLI`: what the operator did from the command line")
    .optional(),
  status: z.coerce
    .number("status.invalid")
    .int("status.invalid")
    .min(100, "status.invalid")
    .max(599, "status.invalid")
    .optional(),
  days: z.coerce
    .number("days.invalid")
    .int("days.invalid")
    .min(1, "days.invalid")
    .max(365, "days.invalid")
    .default(30),
});

export const listAuditLog = route({
  id: "audit.list",
  method: "GET",
  path: "/audit-logs",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "List calls of the account, newest first",
  querystring: pageQuery.extend(auditFilter.shape),
  success: 200,
  response: paged(auditEntry),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const exportAuditLog = route({
  id: "audit.export",
  method: "GET",
  path: "/audit-logs.csv",
  family: "api",
  access: "customer",
  apiKey: "read",
  notInViews: true,
  summary: "Export calls of the account",
  querystring: auditFilter,
  success: 200,
  response: z.string(),
  errors: ["unauthenticated"],
  limits: [{ per: "user", max: 30, windowSeconds: 3600 }],
});

export const auditRoutes = { listAuditLog, exportAuditLog };
