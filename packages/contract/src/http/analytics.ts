import { z } from "zod";
import { refusalReasons } from "../edge/plain-values.ts";
import { serverParams, timestamp, uuid } from "./fields.ts";
import { settingAreas } from "./history.ts";
import { route } from "./route.ts";

export const analyticsRanges = ["1h", "24h", "7d", "30d", "custom"] as const;
export type AnalyticsRange = (typeof analyticsRanges)[number];

/** Seconds between two points. A day is a day of UTC. */
export const analyticsSteps = [60, 600, 3_600, 86_400] as const;
export type AnalyticsStep = (typeof analyticsSteps)[number];

/** Points of one series; the step is chosen so that a range never has more. */
export const analyticsPointsMax = 1_500;
/** Entries of a list of versions, protocols, countries or networks; the others are one entry. */
export const analyticsTopMax = 50;
export const analyticsMarksMax = 200;

const time = z.iso.datetime({ error: "time.invalid", offset: true });

export const analyticsQuery = z
  .object({
    range: z.enum(analyticsRanges, "range.invalid").default("24h"),
    from: time.describe("With `custom` only").optional(),
    to: time.describe("With `custom` only; at most now").optional(),
  })
  .superRefine(({ range, from, to }, context) => {
    const refuse = (path: "from" | "to", message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (range !== "custom") return;
    if (from === undefined) refuse("from", "required");
    if (to === undefined) refuse("to", "required");
    if (from === undefined || to === undefined) return;
    if (Date.parse(from) >= Date.parse(to)) refuse("to", "to.after_from");
  });

const count = z.int();
const counts = z.array(count.nullable()).max(analyticsPointsMax);
const measures = z.array(z.number().nullable()).max(analyticsPointsMax);

/**
 * One value for each of `times`. Null: no edge has reported this time, so nothing is known. 0: edges
 * have reported, and there was nothing.
 */
export const analyticsSeries = z
  .object({
    players: measures.describe("Players online, mean"),
    players_peak: counts.describe("Most players online in a minute: each edge's peak, added up"),
    joins: counts,
    bedrock_players: measures.describe("The part of `players` that is of Bedrock"),
    bedrock_joins: counts.describe("The part of `joins` that is of Bedrock"),
    pings: counts.describe("Server-list pings"),
    connections_peak: counts.describe(
      "Most new connections in a second: each edge's peak, added up",
    ),
    refused: z
      .partialRecord(z.enum(refusalReasons), counts)
      .describe("By reason; a reason that never occurred is left out"),
    challenged: counts.describe("Unknown players whose verification began"),
    verified: counts.describe("Of these, the ones who passed"),
    challenges_failed: counts.describe("Of these, the ones who were refused for it"),
    bytes_up: counts.describe("From players to the backends"),
    bytes_down: counts.describe("From the backends to players"),
    attack_bytes: counts.describe("Of refused connections; not billed"),
    backend_latency_ms: measures.describe("Mean of the health checks; null also without one"),
    backend_health: measures.describe(
      "Share of health checks that succeeded, 0 to 1; null also without one",
    ),
  })
  .meta({ id: "AnalyticsSeries" });

export type AnalyticsSeries = z.infer<typeof analyticsSeries>;

export const analyticsTotals = z
  .object({
    players: z.number().nullable().describe("Mean of the times with a report"),
    players_peak: count.nullable(),
    joins: count,
    bedrock_players: z.number().nullable(),
    bedrock_joins: count,
    pings: count,
    connections_peak: count.nullable(),
    refused: z.partialRecord(z.enum(refusalReasons), count),
    challenged: count,
    verified: count,
    challenges_failed: count,
    bytes_up: count,
    bytes_down: count,
    attack_bytes: count,
    backend_latency_ms: z.number().nullable(),
    backend_health: z.number().nullable(),
    unique_players: count.describe("Different names that joined; an estimate within about 2 %"),
  })
  .meta({ id: "AnalyticsTotals" });

export type AnalyticsTotals = z.infer<typeof analyticsTotals>;

const share = z.object({ joins: count });

/** The largest first; `null` in place of a name stands for all that have no place in the list. */
const versions = share.extend({
  version: z.string().nullable().describe("Of Minecraft Java; null for all the others together"),
});
const protocols = share.extend({
  protocol: z.int().nullable().describe("Number that the client sent; null for all the others"),
});
const countries = share.extend({
  country: z.string().nullable().describe("ISO 3166-1, two letters; null: others and unknown"),
});
const networks = share.extend({
  asn: z.int().nullable().describe("Number of the autonomous system; null: others and unknown"),
  name: z.string().nullable(),
});

export const analyticsMark = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("attack"),
      id: uuid,
      at: timestamp,
      ended_at: timestamp.nullable().describe("Null while it lasts"),
      peak_per_second: count,
      datagrams_peak: count.describe("As of `Attack`"),
    }),
    z.object({
      kind: z.literal("change"),
      id: uuid.describe("Of the entry in the shield's history"),
      at: timestamp,
      area: z.enum(settingAreas),
      fields: z.array(z.string()).max(50).describe("Settings that were changed"),
    }),
  ])
  .meta({ id: "AnalyticsMark" });

export type AnalyticsMark = z.infer<typeof analyticsMark>;

export const analyticsAnswer = z
  .object({
    range: z.enum(analyticsRanges),
    from: timestamp.describe("Start of the first point"),
    to: timestamp.describe("End of the last point, which may not be over yet"),
    step_seconds: z.int().describe("60, 600, 3600 or 86400"),
    kept_from: timestamp.describe("What is older, the plan does not keep"),
    times: z.array(timestamp).max(analyticsPointsMax).describe("Start of each point"),
    series: analyticsSeries,
    totals: analyticsTotals,
    before: z
      .object({
        from: timestamp,
        to: timestamp,
        series: analyticsSeries.describe("As many points as `times`, each one period earlier"),
        totals: analyticsTotals,
      })
      .nullable()
      .describe("The period before, of the same length; null unless `compare` is true"),
    versions: z.array(versions).max(analyticsTopMax + 1),
    protocols: z.array(protocols).max(analyticsTopMax + 1),
    countries: z
      .array(countries)
      .max(analyticsTopMax + 1)
      .nullable()
      .describe("Null where no edge has a database of countries"),
    networks: z
      .array(networks)
      .max(analyticsTopMax + 1)
      .nullable()
      .describe("Null where no edge has a database of networks"),
    hours_of_week: z
      .object({
        players: z.array(z.number().nullable()).length(168),
        joins: z.array(z.number().nullable()).length(168),
      })
      .nullable()
      .describe(
        "Means for each hour of the week in UTC, from Monday 0:00; null for ranges below 7 days",
      ),
    retention: z
      .array(
        z.object({
          from: timestamp,
          to: timestamp,
          unique_players: count,
          returned: count.describe("Of these, the ones who joined in the next period as well"),
          share: z.number().nullable().describe("0 to 1; null where no player joined"),
        }),
      )
      .max(60)
      .describe("By days, by weeks from 30 days on; estimates. Empty for ranges below 2 days"),
    marks: z
      .array(analyticsMark)
      .max(analyticsMarksMax)
      .describe(
        "The newest first. Changes are left out for members without a right to the history",
      ),
  })
  .meta({ id: "Analytics" });

export type Analytics = z.infer<typeof analyticsAnswer>;

const errors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;

export const getAnalytics = route({
  id: "analytics.get",
  method: "GET",
  path: "/servers/:id/analytics",
  family: "api",
  access: "member",
  area: "general",
  apiKey: "read",
  summary: "Players, joins and traffic of a shield over time",
  params: serverParams,
  querystring: analyticsQuery.safeExtend({
    compare: z.enum(["false", "true"], "boolean.invalid").default("false"),
  }),
  success: 200,
  response: analyticsAnswer,
  errors: [...errors],
  limits: [{ per: "user", max: 600, windowSeconds: 60, perProcess: true }],
});

export const exportAnalytics = route({
  id: "analytics.export",
  method: "GET",
  path: "/servers/:id/analytics.csv",
  family: "api",
  access: "member",
  area: "general",
  apiKey: "read",
  notInViews: true,
  summary: "Export the series of a period",
  params: serverParams,
  querystring: analyticsQuery,
  success: 200,
  response: z.string(),
  errors: [...errors],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
});

export const analyticsRoutes = { getAnalytics, exportAnalytics };
