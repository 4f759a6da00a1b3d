import { z } from "zod";
import { acknowledgement, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

/** The program that reads the configuration stream: an edge or zone DNS. */
export const nodeKinds = ["edge", "dns"] as const;

export const staffEdge = z
  .object({
    id: uuid,
    name: z.string(),
    kind: z.enum(nodeKinds),
    location: z.string(),
    state: z.enum(["invited", "online", "offline", "revoked"]),
    last_seen_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "StaffEdge" });

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
  body: createEdgeBody,
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
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "forbidden", "two_factor_required", "step_up_required", "not_found"],
  limits: defaultLimits.change,
});

export const staffEdgeRoutes = { listEdges, createEdge, revokeEdge };
