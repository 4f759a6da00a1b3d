import { z } from "zod";
import { antibotLevels, refusalReasons } from "../edge/plain-values.ts";
import { serverParams, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

export const attack = z
  .object({
    id: uuid,
    started_at: timestamp,
    ended_at: timestamp.nullable().describe("Null while it lasts"),
    peak_per_second: z.int().describe("Logins in a second: each edge's peak, added up"),
    sources: z.int().describe("Different /24 and /64 networks, about"),
    refused: z.partialRecord(z.enum(refusalReasons), z.int()),
    edges: z.int().describe("Edges it reached"),
    relaxed_to: z
      .enum(antibotLevels)
      .nullable()
      .describe("The level that acted, where it was relaxed because verified players had failed"),
  })
  .meta({ id: "Attack" });

export type Attack = z.infer<typeof attack>;

export const listAttacks = route({
  id: "attacks.list",
  method: "GET",
  path: "/servers/:id/attacks",
  family: "api",
  access: "member",
  area: "logs",
  apiKey: "read",
  summary: "Attacks on a shield, the newest first",
  params: serverParams,
  querystring: z.object({
    cursor: z.string("cursor.invalid").max(200, "cursor.invalid").optional(),
  }),
  success: 200,
  response: z.object({
    data: z.array(attack).max(50),
    next_cursor: z.string().nullable().describe("For the attacks before; null at the end"),
  }),
  errors: ["unauthenticated", "forbidden", "not_found", "gone"],
  limits: defaultLimits.read,
});

export const attackRoutes = { listAttacks };
