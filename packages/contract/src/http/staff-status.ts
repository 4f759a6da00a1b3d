import { z } from "zod";
import { acknowledgement, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";
import { staffReason } from "./staff-roles.ts";
import {
  allIncidentStates,
  incidentImpacts,
  incidentKinds,
  incidentStates,
  statusIncident,
} from "./status-page.ts";
import { tidyLine } from "./tidy-line.ts";

/** Incidents and maintenances of the status page, as staff write them. */

const incidentTitleMax = 120;
const incidentTextMax = 2_000;

const invisible = /(?![\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** As `tidyLine`, but with its lines. */
function tidyText(typed: string): string {
  return typed
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(invisible, "")
    .trim();
}

export const incidentTitle = z
  .string("required")
  .overwrite(tidyLine)
  .min(1, "required")
  .max(incidentTitleMax, "text.max");
export const incidentText = z
  .string("required")
  .overwrite(tidyText)
  .min(1, "required")
  .max(incidentTextMax, "text.max");
const time = z.iso.datetime({ offset: true, error: "time.invalid" });

const shown = {
  title_en: incidentTitle,
  title_ru: incidentTitle,
  impact: z.enum(incidentImpacts, "invalid"),
  locations: z.array(z.string().min(1).max(64), "required").max(100, "invalid"),
  affects_console: z.boolean("boolean.invalid"),
  starts_at: time.optional().describe("By default now; a maintenance needs it"),
  ends_at: time.nullable().optional().describe("The planned end; a maintenance needs it"),
  reason: staffReason,
};

interface Times {
  readonly starts_at?: string | undefined;
  readonly ends_at?: string | null | undefined;
}

function isInOrder({ starts_at, ends_at }: Times): boolean {
  if (starts_at === undefined || ends_at === undefined || ends_at === null) return true;
  return new Date(ends_at) > new Date(starts_at);
}
const outOfOrder = { path: ["ends_at"], error: "to.after_from" };

export const createIncidentBody = z
  .object({
    kind: z.enum(incidentKinds, "invalid"),
    ...shown,
    state: z.enum(allIncidentStates, "status.invalid"),
    text_en: incidentText,
    text_ru: incidentText,
  })
  .refine(isInOrder, outOfOrder)
  .refine(({ kind, state }) => incidentStates[kind].some((each) => each === state), {
    path: ["state"],
    error: "status.invalid",
  })
  .refine(({ kind, starts_at }) => kind === "incident" || starts_at !== undefined, {
    path: ["starts_at"],
    error: "required",
  })
  .refine(({ kind, ends_at }) => kind === "incident" || typeof ends_at === "string", {
    path: ["ends_at"],
    error: "required",
  })
  .meta({ id: "StatusIncidentCreate" });

export const updateIncidentBody = z
  .object(shown)
  .refine(isInOrder, outOfOrder)
  .meta({ id: "StatusIncidentChange" });

export const addUpdateBody = z
  .object({
    state: z.enum(allIncidentStates, "status.invalid"),
    text_en: incidentText,
    text_ru: incidentText,
    reason: staffReason,
  })
  .meta({ id: "StatusUpdateCreate" });

const ofStaff = {
  family: "api",
  access: "staff",
  staffRoles: ["operations"],
  apiKey: "none",
} as const;
const errors = ["unauthenticated", "forbidden", "two_factor_required"] as const;
const params = z.object({ incidentId: uuid });
const answer = acknowledgement.extend({ incident: statusIncident });

export const listIncidents = route({
  ...ofStaff,
  id: "staffStatus.list",
  method: "GET",
  path: "/staff/status/incidents",
  summary: "List incidents and maintenances of the status page",
  success: 200,
  response: z.object({
    incidents: z.array(statusIncident),
    locations: z.array(z.object({ name: z.string(), display_name: z.string() })),
    subscribers: z.object({ mail: z.int(), webhook: z.int() }).describe("Confirmed ones"),
    generated_at: timestamp,
  }),
  errors,
  limits: defaultLimits.read,
});

export const createIncident = route({
  ...ofStaff,
  id: "staffStatus.create",
  method: "POST",
  path: "/staff/status/incidents",
  summary: "Publish an incident or plan a maintenance",
  body: createIncidentBody,
  success: 201,
  response: answer,
  errors: [...errors, "step_up_required", "location_unavailable"],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
});

export const updateIncident = route({
  ...ofStaff,
  id: "staffStatus.update",
  method: "PUT",
  path: "/staff/status/incidents/:incidentId",
  summary: "Change an incident or maintenance",
  params,
  body: updateIncidentBody,
  success: 200,
  response: answer,
  errors: [...errors, "step_up_required", "not_found", "location_unavailable"],
  limits: defaultLimits.change,
});

export const addUpdate = route({
  ...ofStaff,
  id: "staffStatus.addUpdate",
  method: "POST",
  path: "/staff/status/incidents/:incidentId/updates",
  summary: "Publish an update of an incident, or end it",
  params,
  body: addUpdateBody,
  success: 201,
  response: answer,
  errors: [...errors, "step_up_required", "not_found", "conflict"],
  limits: [{ per: "user", max: 120, windowSeconds: 3600 }],
});

export const staffStatusRoutes = { listIncidents, createIncident, updateIncident, addUpdate };
