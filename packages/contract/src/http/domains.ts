import { z } from "zod";
import { acknowledgement, serverParams, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";
import { dnsCheck } from "./server-setup.ts";
import { normalizeClaim } from "./servers.ts";

/** How long a deleted domain can be taken back. */
export const domainUndoSeconds = 600;

export const domainStatuses = ["setup_finished", "setup_pending"] as const;

export const shieldDomain = z
  .object({
    id: uuid,
    domain: z.string().describe("Lower case, IDNA; `*.` and a domain for all names below it"),
    status: z
      .enum(domainStatuses)
      .describe("`setup_finished`: its records were seen, and lead to this shield"),
    group_id: uuid
      .nullable()
      .describe("Backend group its players go to; null: whichever serves the edge's location"),
    verified_at: timestamp.nullable().describe("When it was proven"),
    ends_at: timestamp
      .nullable()
      .describe("An unproven domain is not routed from then on; null for a proven one"),
    created_at: timestamp,
  })
  .meta({ id: "ShieldDomain" });

export type ShieldDomain = z.infer<typeof shieldDomain>;

export const shieldDomains = z
  .object({
    domains: z.array(shieldDomain).describe("Oldest first"),
    cname_record: z.string().describe("Where the records of every domain lead"),
    domains_max: z.int().describe("Domains the plan allows"),
    groups: z
      .array(z.object({ id: uuid, name: z.string(), default: z.boolean() }))
      .describe("Minecraft backend groups a domain's players can be sent to, the default first"),
  })
  .meta({ id: "ShieldDomains" });

export type ShieldDomains = z.infer<typeof shieldDomains>;

/** A record, its name and value as most providers ask for them. */
const record = z.object({ name: z.string(), value: z.string() });

const srvParts = z.object({
  service: z.string(),
  protocol: z.string(),
  name: z.string(),
  priority: z.int(),
  weight: z.int(),
  port: z.int(),
  target: z.string(),
});

export const domainSetup = z
  .object({
    domain: shieldDomain,
    setup_info: z.object({
      cname_record: record,
      srv_record: record
        .extend({ parts: srvParts })
        .nullable()
        .describe("Null for a wildcard, which no SRV record can lead"),
      txt_record: record.describe(
        "Proves the domain beside other records; that of a wildcard stands at its parent",
      ),
    }),
    dns: dnsCheck.nullable().describe("What DNS answers now; null with `look=false`"),
  })
  .meta({ id: "DomainSetup" });

export type DomainSetup = z.infer<typeof domainSetup>;

export const addDomainBody = z
  .object({
    domain: z
      .string("domain.required")
      .trim()
      .min(1, "domain.required")
      .max(255, "domain.max")
      .refine((value) => normalizeClaim(value) !== null, "domain.example")
      .describe("A domain, or `*.` and a domain that was proven"),
  })
  .meta({ id: "DomainCreate" });

export const updateDomainBody = z
  .object({ group_id: z.uuid("id.invalid").nullable() })
  .meta({ id: "DomainUpdate" });

const revisionAnswer = {
  message: z.string(),
  revision: z.int().describe("Revision to follow with `propagation`"),
};
const memberErrors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;
const writeErrors = [...memberErrors, "server_not_active"] as const;
const writeLimit = { per: "shield", max: 120, windowSeconds: 600 } as const;
const domainParams = serverParams.extend({ domainId: uuid });

export const listDomains = route({
  id: "domains.list",
  method: "GET",
  path: "/servers/:id/domains",
  family: "api",
  access: "member",
  area: "domains",
  apiKey: "read",
  summary: "Domains of a shield",
  params: serverParams,
  success: 200,
  response: shieldDomains,
  errors: [...memberErrors],
  limits: defaultLimits.read,
});

export const addDomain = route({
  id: "domains.add",
  method: "POST",
  path: "/servers/:id/domains",
  family: "api",
  access: "member",
  area: "domains",
  apiKey: "write",
  summary: "Add a domain",
  params: serverParams,
  body: addDomainBody,
  success: 201,
  response: z.object({ ...revisionAnswer, domain: shieldDomain }),
  errors: [...writeErrors, "domain_in_use", "domain_exists", "plan_limit"],
  limits: [writeLimit],
});

export const updateDomain = route({
  id: "domains.update",
  method: "PUT",
  path: "/servers/:id/domains/:domainId",
  family: "api",
  access: "member",
  area: "domains",
  apiKey: "write",
  summary: "Choose where a domain's players go",
  params: domainParams,
  body: updateDomainBody,
  success: 200,
  response: z.object({ ...revisionAnswer, domain: shieldDomain }),
  errors: [...writeErrors],
  limits: [writeLimit],
});

export const removeDomain = route({
  id: "domains.remove",
  method: "DELETE",
  path: "/servers/:id/domains/:domainId",
  family: "api",
  access: "member",
  area: "domains",
  apiKey: "write",
  summary: "Delete a domain",
  params: domainParams,
  success: 200,
  response: acknowledgement.extend({
    ...revisionAnswer,
    restorable_until: timestamp.describe("Until then `restore` brings it back"),
  }),
  errors: [...writeErrors],
  limits: [writeLimit],
});

export const restoreDomain = route({
  id: "domains.restore",
  method: "POST",
  path: "/servers/:id/domains/:domainId/restore",
  family: "api",
  access: "member",
  area: "domains",
  apiKey: "write",
  summary: "Take the deletion of a domain back",
  params: domainParams,
  success: 200,
  response: z.object({ ...revisionAnswer, domain: shieldDomain }),
  errors: [...writeErrors, "domain_in_use", "domain_exists", "plan_limit"],
  limits: [writeLimit],
});

const lookLimit = { per: "user", max: 240, windowSeconds: 600 } as const;

export const getDomainSetup = route({
  id: "domains.setup",
  method: "GET",
  path: "/servers/:id/domains/:domainId/setup",
  family: "api",
  access: "member",
  area: "domains",
  apiKey: "read",
  summary: "Records a domain needs",
  params: domainParams,
  querystring: z.object({
    look: z
      .enum(["true", "false"], "boolean.invalid")
      .optional()
      .describe("`false`: do not ask DNS, answer at once"),
  }),
  success: 200,
  response: domainSetup,
  errors: [...memberErrors],
  limits: [lookLimit],
});

export const checkShieldDomain = route({
  id: "domains.check",
  method: "POST",
  path: "/servers/:id/domains/:domainId/check",
  family: "api",
  access: "member",
  area: "domains",
  apiKey: "write",
  summary: "Look at a domain's DNS now",
  params: domainParams,
  success: 200,
  response: z.object({ dns: dnsCheck, domain: shieldDomain, revision: z.int() }),
  errors: [...writeErrors, "domain_in_use"],
  limits: [{ per: "user", max: 60, windowSeconds: 600 }],
});

export const shieldDomainRoutes = {
  listDomains,
  addDomain,
  updateDomain,
  removeDomain,
  restoreDomain,
  getDomainSetup,
  checkShieldDomain,
};
