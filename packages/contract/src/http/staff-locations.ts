import { z } from "zod";
import { acknowledgement } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";
import { staffChangeErrors, staffReadErrors } from "./staff-errors.ts";
import { staffReason } from "./staff-roles.ts";
import { tidyLine } from "./tidy-line.ts";

const displayName = z.string("required").overwrite(tidyLine).min(1, "required").max(60, "text.max");

export const staffLocation = z
  .object({
    name: z.string(),
    en: z.string(),
    ru: z.string().nullable(),
    flag_url: z.string().nullable(),
    position: z.int(),
    is_retired: z.boolean().describe("No new shields and edges; present ones stay"),
    edges: z.int().describe("Enrolled and not revoked"),
    edges_online: z.int(),
    shields: z.int().describe("Whose players enter there"),
  })
  .meta({ id: "StaffLocation" });

export type StaffLocation = z.infer<typeof staffLocation>;

export const locationEdit = z
  .object({
    en: displayName,
    ru: displayName.nullable(),
    flag_url: z
      .string()
      .regex(/^\/flags\/[a-z0-9-]{1,40}\.svg$/, "flag.invalid")
      .nullable()
      .describe("Path of an SVG of the console; null for none"),
    position: z.int("number.invalid").min(0, "number.range").max(1_000, "number.range"),
    is_retired: z.boolean("boolean.invalid"),
    reason: staffReason,
  })
  .meta({ id: "StaffLocationEdit" });

export const locationName = z.string("required").regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "slug.invalid");

const shared = {
  family: "api",
  access: "staff",
  staffRoles: ["operations"],
  apiKey: "none",
} as const;

export const listLocations = route({
  ...shared,
  id: "staffLocations.list",
  method: "GET",
  path: "/staff/locations",
  summary: "List locations with their edges and shields",
  success: 200,
  response: z.object({ locations: z.array(staffLocation) }),
  errors: [...staffReadErrors],
  limits: defaultLimits.read,
});

export const createLocation = route({
  ...shared,
  id: "staffLocations.create",
  method: "POST",
  path: "/staff/locations",
  summary: "Add a location",
  body: locationEdit.omit({ is_retired: true }).extend({ name: locationName }),
  success: 201,
  response: acknowledgement,
  errors: [...staffChangeErrors, "conflict"],
  limits: defaultLimits.change,
});

export const editLocation = route({
  ...shared,
  id: "staffLocations.edit",
  method: "PUT",
  path: "/staff/locations/:location",
  summary: "Change the texts of a location, or retire it",
  params: z.object({ location: locationName }),
  body: locationEdit,
  success: 200,
  response: acknowledgement,
  errors: [...staffChangeErrors, "not_found"],
  limits: defaultLimits.change,
});

export const staffLocationRoutes = { listLocations, createLocation, editLocation };
