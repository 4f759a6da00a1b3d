import { z } from "zod";
import { loginVerdicts } from "../edge/telemetry.ts";
import { serverParams, timestamp, uuid } from "./fields.ts";
import { route } from "./route.ts";

export const logEntry = z
  .object({
    id: uuid,
    at: timestamp,
    verdict: z.enum(loginVerdicts),
    shadow: z.boolean().describe("Would have been refused, and was let in"),
    player: z.string(),
    ip: z.string(),
    version: z.string().nullable().describe("Of Minecraft, by the client's protocol number"),
    protocol: z.int(),
    host: z.string().describe("The name the player joined by"),
    edge: z.string(),
    trace: z.string().describe("The code a refused player reads"),
    facts: z.record(z.string(), z.string()).describe("What the verdict was made from"),
  })
  .meta({ id: "LogEntry" });

export type LogEntry = z.infer<typeof logEntry>;

export const listLogEntries = route({
  id: "logs.entries",
  method: "GET",
  path: "/servers/:id/logs/entries",
  family: "api",
  access: "member",
  area: "logs",
  apiKey: "read",
  summary: "Logins of a shield, the newest first",
  params: serverParams,
  querystring: z.object({
    cursor: z.string("cursor.invalid").max(200, "cursor.invalid").optional(),
    verdict: z.enum(loginVerdicts, "verdict.invalid").optional(),
    player: z
      .string("player.invalid")
      .trim()
      .regex(/^[\x20-\x7e]{1,16}$/, "player.invalid")
      .optional(),
    ip: z.union([z.ipv4(), z.ipv6()], "ip.invalid").optional(),
    trace: z
      .string("trace.invalid")
      .trim()
      .toUpperCase()
      .regex(/^[0-9A-HJKMNP-TV-Z]{8}$/, "trace.invalid")
      .optional(),
  }),
  success: 200,
  response: z.object({
    data: z.array(logEntry).max(100),
    next_cursor: z.string().nullable().describe("For the entries before; null at the end"),
  }),
  errors: ["unauthenticated", "forbidden", "not_found", "gone"],
  limits: [{ per: "user", max: 120, windowSeconds: 60 }],
});

export const logRoutes = { listLogEntries };
