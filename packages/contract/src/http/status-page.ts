import { z } from "zod";
import { locales } from "../texts/locale.ts";
import { timestamp, uuid } from "./fields.ts";

/** The public status page: what GET /status shows and GET /status.json answers. */

/** Days that the page looks back, today included. */
export const statusDays = 90;

export const incidentKinds = ["incident", "maintenance"] as const;
export type IncidentKind = (typeof incidentKinds)[number];

/** How much players and owners notice of it. */
export const incidentImpacts = ["none", "minor", "major"] as const;
export type IncidentImpact = (typeof incidentImpacts)[number];

/** In their usual order. The last ones of each kind end it. */
export const incidentStates = {
  incident: ["investigating", "identified", "monitoring", "resolved"],
  maintenance: ["scheduled", "in_progress", "completed", "cancelled"],
} as const satisfies Record<IncidentKind, readonly string[]>;
export const allIncidentStates = [
  ...incidentStates.incident,
  ...incidentStates.maintenance,
] as const;
export type IncidentState = (typeof allIncidentStates)[number];

const endStates: ReadonlySet<IncidentState> = new Set(["resolved", "completed", "cancelled"]);

export function isEnded(state: IncidentState): boolean {
  return endStates.has(state);
}

const localised = z.record(z.enum(locales), z.string());

export const statusUpdate = z
  .object({
    at: timestamp,
    state: z.enum(allIncidentStates),
    text: localised.describe("By language"),
  })
  .meta({ id: "StatusUpdate" });

export const statusIncident = z
  .object({
    id: uuid,
    kind: z.enum(incidentKinds),
    impact: z.enum(incidentImpacts),
    state: z.enum(allIncidentStates),
    title: localised.describe("By language"),
    locations: z.array(z.string()).describe("Names of the locations it affects"),
    affects_console: z.boolean().describe("The console and the API are affected"),
    starts_at: timestamp,
    ends_at: timestamp.nullable().describe("The planned end of a maintenance"),
    ended_at: timestamp.nullable(),
    updates: z.array(statusUpdate).describe("The newest first"),
  })
  .meta({ id: "StatusIncident" });
export type StatusIncident = z.infer<typeof statusIncident>;

export const componentStates = ["operational", "degraded", "down", "unknown"] as const;
export type ComponentState = (typeof componentStates)[number];

const uptimeDay = z.object({
  day: z.iso.date(),
  /** Minutes in which it worked, and those of them in which a part of it did not. */
  up: z.int(),
  partial: z.int(),
  down: z.int(),
});
export type UptimeDay = z.infer<typeof uptimeDay>;

export const statusComponent = z.object({
  /** The location; null: the console and the API. */
  location: z.string().nullable(),
  name: localised,
  state: z.enum(componentStates),
  edges: z.object({ online: z.int(), total: z.int() }).nullable(),
  /** Percent of the measured minutes of 90 days, rounded down; null: none was measured. */
  uptime: z.number().nullable(),
  /** Days with measured minutes, the oldest first. */
  days: z.array(uptimeDay),
});
export type StatusComponent = z.infer<typeof statusComponent>;

export const overallStates = ["operational", "maintenance", "degraded", "outage"] as const;
export type OverallState = (typeof overallStates)[number];

export const statusDocument = z.object({
  generated_at: timestamp,
  state: z.enum(overallStates),
  components: z.array(statusComponent),
  current: z.array(statusIncident),
  planned: z.array(statusIncident),
  past: z.array(statusIncident),
});
export type StatusDocument = z.infer<typeof statusDocument>;
