import { z } from "zod";
import { acknowledgement, timestamp } from "../http/fields.ts";
import { defaultLimits, route } from "../http/route.ts";
import { probeResult } from "./probe.ts";
import { telemetryReport } from "./telemetry.ts";

export const enrolBody = z.object({
  token: z.string("required").min(16, "required").max(200, "required"),
  /** Addresses players reach this node at; zone DNS answers with them. */
  addresses: z
    .array(z.union([z.ipv4(), z.ipv6()]))
    .max(16)
    .default([]),
});

/** A credential and its times. Absent from a control plane of an earlier release, whose credentials do not expire. */
const credentialTimes = {
  expires_at: timestamp.optional(),
  /** From when on the edge asks for the next one. */
  renew_at: timestamp.optional(),
};

export const enrol = route({
  id: "edge.enrol",
  method: "POST",
  path: "/enrol",
  family: "edge",
  access: "anonymous",
  apiKey: "none",
  summary: "Exchanges a one-time token for a credential",
  body: enrolBody,
  success: 201,
  response: z.object({
    edge_id: z.uuid(),
    kind: z.enum(["edge", "dns"]),
    location: z.string(),
    credential: z.string().describe("Shown once; stored hashed"),
    ...credentialTimes,
  }),
  errors: ["enrolment_refused"],
  limits: [{ per: "ip", max: 60, windowSeconds: 600 }],
});

export const renewCredential = route({
  id: "edge.renewCredential",
  method: "POST",
  path: "/credential",
  family: "edge",
  access: "edge",
  apiKey: "none",
  summary: "A new credential; the former one works until the new one is used",
  success: 200,
  response: z.object({ credential: z.string(), ...credentialTimes }),
  errors: ["unauthenticated", "credential_expired"],
  limits: [{ per: "edge", max: 60, windowSeconds: 3600 }],
});

export const configStream = route({
  id: "edge.config",
  method: "GET",
  path: "/config",
  family: "edge",
  access: "edge",
  apiKey: "none",
  summary: "Configuration stream (NDJSON, does not end); lines as in `streamLine`",
  querystring: z.object({
    since: z.coerce.number().int().min(0).default(0),
    /** The node and history that `since` belongs to: if they differ, a snapshot follows. */
    edge: z.string().max(64).optional(),
    epoch: z.string().max(64).optional(),
    schema: z.coerce.number().int().min(1).default(6),
    program_version: z
      .string()
      .regex(/^[0-9A-Za-z.+-]{1,64}$/)
      .optional()
      .describe("Of the node's own program"),
  }),
  success: 200,
  response: z.unknown(),
  errors: ["unauthenticated", "credential_expired", "schema_unsupported"],
  limits: defaultLimits.edge,
});

export const acks = route({
  id: "edge.acks",
  method: "POST",
  path: "/acks",
  family: "edge",
  access: "edge",
  apiKey: "none",
  summary: "What became of revisions: applied, or rejected with the last good one kept",
  body: z.object({
    version: z.int().min(0).describe("0 while the node does not know that it is still current"),
    acks: z
      .array(
        z.object({
          shield_id: z.uuid(),
          revision: z.int().min(1),
          outcome: z.enum(["applied", "rejected"]),
          reason: z.string().max(500).optional(),
        }),
      )
      .max(10_000),
  }),
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "credential_expired"],
  limits: defaultLimits.edge,
});

export const telemetry = route({
  id: "edge.telemetry",
  method: "POST",
  path: "/telemetry",
  family: "edge",
  access: "edge",
  apiKey: "none",
  summary: "Counters and gauges; a repeated sequence number is answered and not counted",
  body: telemetryReport,
  success: 200,
  response: z.object({
    accepted: z.boolean().describe("False where the report was counted before"),
  }),
  errors: ["unauthenticated", "credential_expired"],
  limits: defaultLimits.edge,
});

export const probes = route({
  id: "edge.probes",
  method: "POST",
  path: "/probes",
  family: "edge",
  access: "edge",
  apiKey: "none",
  summary: "What a probe of the stream has seen",
  body: probeResult,
  success: 200,
  response: z.object({
    accepted: z
      .boolean()
      .describe("False when no caller waits for it, or it was meant for another edge"),
  }),
  errors: ["unauthenticated", "credential_expired"],
  limits: defaultLimits.edge,
});

export const edgeRoutes = { enrol, renewCredential, configStream, acks, telemetry, probes };

export type Ack = z.infer<typeof acks.body>["acks"][number];
