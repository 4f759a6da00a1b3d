import { z } from "zod";
import { uuid } from "./fields.ts";
import { route } from "./route.ts";
import { createServerBody, normalizeClaim } from "./servers.ts";

const domain = z
  .string("domain.required")
  .trim()
  .min(1, "domain.required")
  .max(255, "domain.max")
  .refine((value) => normalizeClaim(value) !== null, "domain.invalid")
  .describe("A domain, or `*.` and a domain the caller has proven");

/** A DNS record as an owner types it at their provider. */
const dnsRecord = z.object({
  type: z.enum(["CNAME", "SRV", "TXT", "A", "AAAA"]),
  name: z.string(),
  value: z.string(),
});

export type DnsRecord = z.infer<typeof dnsRecord>;

/** Results of checking a domain's records; their texts are in `texts/` under `dns.<code>`. */
export const dnsDiagnoses = [
  /** The record points at the label. */
  "verified",
  /** No such name, or no record that matters. */
  "missing",
  /** A CNAME or SRV record that points elsewhere. */
  "points_elsewhere",
  /** Address records instead of a CNAME: typed by hand, or flattened by the provider. */
  "addresses_only",
  /** The resolver failed: says nothing about the record. */
  "unknown",
] as const;

export const dnsCheck = z
  .object({
    verified: z.boolean(),
    found: z.array(dnsRecord).describe("What DNS answers now, at most 10 records"),
    expected: dnsRecord.describe("The CNAME record to create; for a wildcard the TXT record"),
    alternatives: z
      .array(dnsRecord)
      .describe("SRV or TXT records that prove the domain as well, in that order"),
    diagnosis: z.object({ code: z.enum(dnsDiagnoses), message: z.string() }),
  })
  .meta({ id: "DnsCheck" });

export type DnsCheck = z.infer<typeof dnsCheck>;

export const probeBody = z.object({
  real_ip: createServerBody.shape.real_ip,
  real_port: createServerBody.shape.real_port,
});

/** How a look at an address by an edge ended; texts under `probe.<outcome>`. */
export const probeOutcomes = [
  /** A Minecraft status came back. */
  "online",
  /** The port is open, and what answers is no Minecraft status. */
  "not_minecraft",
  /** The server answers only connections that begin with a PROXY header. */
  "expects_proxy",
  "refused",
  "timeout",
  "unresolved",
  /** Not an address that may be protected. */
  "forbidden",
  /** No edge could be asked just now: says nothing about the server. */
  "no_edge",
] as const;

export const probeAnswer = z
  .object({
    outcome: z.enum(probeOutcomes),
    message: z.string(),
    edge: z.string().nullable().describe("Name of the edge that looked"),
    latency_ms: z.int().nullable(),
    status: z
      .object({
        motd: z.array(z.string()).describe("One or two lines with § codes"),
        version: z.string(),
        protocol: z.int(),
        players_online: z.int(),
        players_max: z.int(),
        favicon: z.string().nullable().describe("data:image/png URI of at most 16 KiB"),
      })
      .nullable(),
  })
  .meta({ id: "ProbeAnswer" });

export type ProbeAnswer = z.infer<typeof probeAnswer>;

export const checkDomain = route({
  id: "servers.checkDomain",
  method: "POST",
  path: "/servers/check-domain",
  family: "api",
  access: "customer",
  apiKey: "write",
  summary: "Check whether a domain can be claimed",
  body: z.object({ domain }),
  success: 200,
  response: z.object({
    available: z.literal(true),
    domain: z.string().describe("As it will be stored: lower case, IDNA, no trailing dot"),
  }),
  errors: ["unauthenticated", "domain_in_use"],
  limits: [{ per: "user", max: 300, windowSeconds: 3600 }],
});

export const checkCname = route({
  id: "servers.checkCname",
  method: "POST",
  path: "/servers/check-cname",
  family: "api",
  access: "customer",
  apiKey: "write",
  summary: "Check a domain's DNS",
  body: z.object({ domain, cname_record: createServerBody.shape.cname_record }),
  success: 200,
  response: dnsCheck,
  errors: ["unauthenticated", "cname_not_reserved", "domain_in_use"],
  limits: [{ per: "user", max: 120, windowSeconds: 600 }],
});

export const probe = route({
  id: "servers.probe",
  method: "POST",
  path: "/servers/probe",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Look at a game server from an edge",
  body: probeBody,
  success: 200,
  response: probeAnswer,
  errors: ["unauthenticated"],
  limits: [
    { per: "user", max: 20, windowSeconds: 60 },
    { per: "user", max: 200, windowSeconds: 3600 },
    { per: "user", max: 500, windowSeconds: 86_400 },
  ],
});

export const probeRoutes = { probe };

export const domainCheckRoutes = { checkDomain, checkCname };

/** One finding of the doctor. */
export const doctorFinding = z.object({
  subject: z.enum(["dns", "edge", "backend", "proxy", "version", "origin", "bedrock"]),
  /** The domain, edge or backend it is about. */
  name: z.string(),
  edge: z.string().nullable().describe("Name of the edge that looked; null where none did"),
  outcome: z.enum(["ok", "warning", "failed", "unknown"]),
  code: z.string().describe("Stable, e.g. `backend.timeout`"),
  title: z.string(),
  fix: z.string().nullable().describe("What to do about it; null where nothing is to be done"),
  /** The observation, e.g. `Paper 1.21.4, 12/100 players, 8 ms`. */
  seen: z.string().nullable(),
});

export const doctorReport = z
  .object({
    checked_at: z.iso.datetime({ offset: true }),
    outcome: z.enum(["ok", "warning", "failed", "unknown"]).describe("The worst finding"),
    findings: z.array(doctorFinding),
  })
  .meta({ id: "DoctorReport" });

export type DoctorFinding = z.infer<typeof doctorFinding>;
export type DoctorReport = z.infer<typeof doctorReport>;

export const runDoctor = route({
  id: "servers.doctor",
  method: "POST",
  path: "/servers/:id/doctor",
  family: "api",
  access: "member",
  area: "backends",
  right: "view",
  apiKey: "write",
  summary: "Examine a shield",
  params: z.object({ id: uuid }),
  success: 200,
  response: doctorReport,
  errors: ["unauthenticated", "forbidden", "not_found", "gone"],
  limits: [
    // Independent of the number of shields: each run asks edges and resolvers of others.
    { per: "user", max: 30, windowSeconds: 600 },
    { per: "shield", max: 12, windowSeconds: 60 },
  ],
});

export const doctorRoutes = { runDoctor };
