import { z } from "zod";
import { serverParams, timestamp } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

/** Between two changes of a shield's region. */
export const regionCooldownSeconds = 120;

const region = z.object({ name: z.string(), display_name: z.string() });

export const shieldRegion = z
  .object({
    current_region: region,
    available_regions: z.array(
      region.extend({
        value: z.string().describe("To be sent as `location`"),
        is_available: z.boolean().describe("An edge takes players there, and the plan includes it"),
      }),
    ),
    locked_seconds: z.int().describe("Until the region can be changed again; 0 where it can"),
    left_regions: z
      .array(region.extend({ until: timestamp }))
      .describe("Left recently: their edges still serve players that DNS still sends there"),
  })
  .meta({ id: "ShieldRegion" });

export type ShieldRegion = z.infer<typeof shieldRegion>;

export const updateRegionBody = z
  .object({
    location: z
      .string("location.required")
      .trim()
      .min(1, "location.required")
      .max(64, "location.required")
      .describe("Value, name or display text of a region"),
  })
  .meta({ id: "RegionUpdate" });

const memberErrors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;

export const getRegion = route({
  id: "region.get",
  method: "GET",
  path: "/servers/:id/region",
  family: "api",
  access: "member",
  area: "domains",
  apiKey: "read",
  summary: "Where players enter",
  params: serverParams,
  success: 200,
  response: shieldRegion,
  errors: [...memberErrors],
  limits: defaultLimits.read,
});

export const updateRegion = route({
  id: "region.update",
  method: "PUT",
  path: "/servers/:id/region",
  family: "api",
  access: "member",
  area: "domains",
  apiKey: "write",
  summary: "Move a shield to another region",
  params: serverParams,
  body: updateRegionBody,
  success: 200,
  response: z.object({
    message: z.string(),
    revision: z.int().describe("Revision to follow with `propagation`"),
    region: shieldRegion,
  }),
  errors: [
    ...memberErrors,
    "server_not_active",
    "location_unavailable",
    "port_taken",
    "precondition_failed",
  ],
  limits: [{ per: "shield", max: 120, windowSeconds: 600 }],
});

export const regionRoutes = { getRegion, updateRegion };
