import { z } from "zod";
import { acknowledgement } from "./fields.ts";
import { clockTime, timeZone } from "./notifications.ts";
import { defaultLimits, route } from "./route.ts";
import { staffChangeErrors, staffReadErrors } from "./staff-errors.ts";
import { catalogueSlug } from "./staff-plans.ts";
import { staffReason } from "./staff-roles.ts";
import { ticketSeverities, type TicketSeverity } from "./tickets.ts";
import { targetHours } from "./usual-answer.ts";

/** Thirty days. */
export const targetMinutesMax = 43_200;
/** Support works at least so long on each of its days: targets would be months away otherwise. */
const openMinutesMin = 60;

const supportTarget = z
  .object({
    minutes: z
      .int("number.invalid")
      .min(1, "number.range")
      .max(targetMinutesMax, "number.range")
      .describe("Minutes until the first answer"),
    hours: z
      .enum(targetHours, "target.hours")
      .describe("Whether they count in the hours of support, or day and night"),
  })
  .meta({ id: "SupportTarget" });

const targetFields = Object.fromEntries(
  ticketSeverities.map((severity) => [severity, supportTarget]),
) as Record<TicketSeverity, typeof supportTarget>;

/** The targets of a support plan. */
export const supportPlanTargets = z
  .object({
    slug: z.string(),
    name: z.object({ en: z.string(), ru: z.string().nullable() }),
    is_retired: z.boolean(),
    holders: z.int().nullable().describe("Accounts that pay for it; null for the free plan"),
    targets: z.object(targetFields),
  })
  .meta({ id: "SupportPlanTargets" });

export type SupportPlanTargets = z.infer<typeof supportPlanTargets>;

const hourFields = {
  time_zone: timeZone,
  days: z
    .array(z.int("support_hours.days").min(1, "support_hours.days").max(7, "support_hours.days"))
    .min(1, "support_hours.days")
    .max(7, "support_hours.days")
    .refine((days) => new Set(days).size === days.length, "support_hours.days")
    .describe("1 is Monday"),
  opens_at: clockTime,
  closes_at: z
    .string("time_of_day.invalid")
    .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, "time_of_day.invalid")
    .describe("`HH:MM`; `24:00` is the end of the day"),
};

export const supportHours = z.object(hourFields).meta({ id: "SupportHours" });

export type SupportHoursOfWeek = z.infer<typeof supportHours>;

/** Minutes from midnight to an `HH:MM`; unlike `minuteOfDay`, `24:00` is the end of the day. */
export function minutesOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

const shared = {
  family: "api",
  access: "staff",
  staffRoles: ["admin"],
  apiKey: "none",
} as const;

export const readSupportTargets = route({
  ...shared,
  id: "staffSupport.get",
  method: "GET",
  path: "/staff/support-targets",
  staffRoles: ["support", "billing"],
  summary: "Targets of first answers, and hours of support",
  success: 200,
  response: z.object({ hours: supportHours, plans: z.array(supportPlanTargets) }),
  errors: [...staffReadErrors],
  limits: defaultLimits.read,
});

export const changeSupportTargets = route({
  ...shared,
  id: "staffSupport.changeTargets",
  method: "PUT",
  path: "/staff/support-targets/:plan",
  summary: "Change the targets of a support plan",
  params: z.object({ plan: catalogueSlug }),
  body: z.object({ ...targetFields, reason: staffReason }),
  success: 200,
  response: acknowledgement,
  errors: [...staffChangeErrors, "not_found"],
  limits: defaultLimits.change,
});

export const changeSupportHours = route({
  ...shared,
  id: "staffSupport.changeHours",
  method: "PUT",
  path: "/staff/support-hours",
  summary: "Change the hours of support",
  body: z
    .object({ ...hourFields, reason: staffReason })
    .refine(
      ({ opens_at, closes_at }) =>
        minutesOfDay(closes_at) - minutesOfDay(opens_at) >= openMinutesMin,
      { path: ["closes_at"], error: "support_hours.closes_at" },
    ),
  success: 200,
  response: acknowledgement,
  errors: [...staffChangeErrors],
  limits: defaultLimits.change,
});

export const staffSupportRoutes = {
  readSupportTargets,
  changeSupportTargets,
  changeSupportHours,
};
