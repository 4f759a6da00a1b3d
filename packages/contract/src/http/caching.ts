import { z } from "zod";
import { serverParams, timestamp } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

export const caching = z
  .object({
    caching_enabled: z.boolean(),
    needs_upgrade: z.boolean().describe("The plan has no caching: it is off and cannot be changed"),
    hit_rate: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(
        "Share of the pings of the last 24 hours answered from the cache; null without any",
      ),
    pings: z.int().describe("In the last 24 hours, by whole hours"),
    pings_from_cache: z.int(),
    purged_at: timestamp.nullable(),
  })
  .meta({ id: "Caching" });

export type Caching = z.infer<typeof caching>;

const memberErrors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;
const writeErrors = [...memberErrors, "plan_required", "server_not_active"] as const;

export const getCaching = route({
  id: "caching.get",
  method: "GET",
  path: "/servers/:id/caching",
  family: "api",
  access: "member",
  area: "caching",
  apiKey: "read",
  summary: "MOTD caching of a shield",
  params: serverParams,
  success: 200,
  response: caching,
  errors: [...memberErrors],
  limits: defaultLimits.read,
});

export const updateCaching = route({
  id: "caching.update",
  method: "PUT",
  path: "/servers/:id/caching",
  family: "api",
  access: "member",
  area: "caching",
  apiKey: "write",
  summary: "Turn MOTD caching on or off",
  params: serverParams,
  body: z.object({ caching_enabled: z.boolean() }),
  success: 200,
  response: z.object({ message: z.string(), revision: z.int(), caching }),
  errors: [...writeErrors, "precondition_failed"],
  limits: [{ per: "shield", max: 600, windowSeconds: 600 }],
});

export const purgeCache = route({
  id: "caching.purge",
  method: "POST",
  path: "/servers/:id/caching/purge",
  family: "api",
  access: "member",
  area: "caching",
  apiKey: "write",
  summary: "Forget the cached server list entries",
  params: serverParams,
  success: 200,
  response: z.object({ message: z.string(), revision: z.int(), caching }),
  errors: [...writeErrors],
  limits: [{ per: "shield", max: 10, windowSeconds: 60 }],
});

export const cachingRoutes = { getCaching, updateCaching, purgeCache };
