import { z } from "zod";
import { acknowledgement, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";
import { staffReason } from "./staff-roles.ts";

/** The program that reads the configuration stream: an edge or zone DNS. */
export const nodeKinds = ["edge", "dns"] as const;

export const staffEdge = z
  .object({
    id: uuid,
    name: z.string(),
    kind: z.enum(nodeKinds),
    location: z.string(),
    state: z.enum(["invited", "online", "offline", "revoked"]),
    drained: z.boolean().describe("Zone DNS does not name it; players who are on it stay"),
    addresses: z.array(z.string()).describe("As it reported them"),
    config: z
      .object({
        version: z.int().describe("What it has applied of the configuration stream"),
        behind: z.int().describe("Numbers that it is behind the stream"),
        schema: z.int().describe("The schema it reads"),
        rejected: z.int().describe("Shields whose newest configuration it rejected"),
      })
      .describe("Zeros before the first stream"),
    program_version: z
      .string()
      .nullable()
      .describe("Of the node's own program; null while it has not said it"),
    has_other_version: z.boolean().describe("Whether that is known and not the api's own version"),
    load: z
      .object({
        players: z.int(),
        connections_per_second: z.number(),
        bandwidth_bps: z.int(),
      })
      .describe("Of the last report; zeros while it is offline"),
    last_seen_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "StaffEdge" });

export type StaffEdge = z.infer<typeof staffEdge>;

export const createEdgeBody = z
  .object({
    name: z
      .string("required")
      .trim()
      .min(1, "required")
      .max(64, "edge_name.max")
      .regex(/^[a-z0-9][a-z0-9-]*$/, "edge_name.invalid"),
    location: z
      .string("location.required")
      .min(1, "location.required")
      .max(64, "location.required"),
    kind: z.enum(nodeKinds, "edge_kind.invalid").default("edge"),
  })
  .meta({ id: "EdgeCreate" });

export const listEdges = route({
  id: "staffEdges.list",
  method: "GET",
  path: "/staff/edges",
  family: "api",
  access: "staff",
  staffRoles: ["operations"],
  apiKey: "none",
  summary: "List edges and zone DNS servers",
  success: 200,
  response: z.object({ edges: z.array(staffEdge) }),
  errors: ["unauthenticated", "forbidden", "two_factor_required"],
  limits: defaultLimits.read,
});

export const createEdge = route({
  id: "staffEdges.create",
  method: "POST",
  path: "/staff/edges",
  family: "api",
  access: "staff",
  staffRoles: ["operations"],
  apiKey: "none",
  summary: "Invite an edge",
  body: createEdgeBody.extend({ reason: staffReason }).meta({ id: "StaffEdgeInvitation" }),
  success: 201,
  response: z.object({ edge: staffEdge, enrolment_token: z.string() }),
  errors: [
    "unauthenticated",
    "forbidden",
    "two_factor_required",
    "step_up_required",
    "conflict",
    "location_unavailable",
  ],
  limits: [{ per: "user", max: 100, windowSeconds: 3600 }],
});

export const revokeEdge = route({
  id: "staffEdges.revoke",
  method: "DELETE",
  path: "/staff/edges/:edgeId",
  family: "api",
  access: "staff",
  staffRoles: ["operations"],
  apiKey: "none",
  summary: "Revoke an edge",
  params: z.object({ edgeId: uuid }),
  body: z.object({ reason: staffReason }),
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "forbidden", "two_factor_required", "step_up_required", "not_found"],
  limits: defaultLimits.change,
});

export const drainEdge = route({
  id: "staffEdges.drain",
  method: "PUT",
  path: "/staff/edges/:edgeId/drain",
  family: "api",
  access: "staff",
  staffRoles: ["operations"],
  apiKey: "none",
  summary: "Drain an edge, or send it new players again",
  params: z.object({ edgeId: uuid }),
  body: z.object({
    drained: z.boolean("boolean.invalid"),
    even_last: z
      .boolean("boolean.invalid")
      .default(false)
      .describe("Also where no other edge of its location takes new players"),
    reason: staffReason,
  }),
  success: 200,
  response: acknowledgement,
  errors: [
    "unauthenticated",
    "forbidden",
    "two_factor_required",
    "step_up_required",
    "not_found",
    "last_edge",
  ],
  limits: defaultLimits.change,
});

export const staffEdgeRoutes = { listEdges, createEdge, revokeEdge, drainEdge };
