import { z } from "zod";
import { challengeGrades, editions } from "../edge/plain-values.ts";
import { loginVerdicts } from "../edge/telemetry.ts";
import { acknowledgement, serverParams, timestamp, uuid } from "./fields.ts";
import { isAddressOrRange } from "./firewall.ts";
import { defaultLimits, route } from "./route.ts";

/** Verdicts by what became of the player. `shadowed`: shadow mode let them in. */
export const verdictGroups = ["admitted", "refused", "shadowed"] as const;

export const logEntry = z
  .object({
    id: uuid,
    at: timestamp,
    verdict: z.enum(loginVerdicts),
    reason: z.string().describe("The verdict in words"),
    shadow: z
      .boolean()
      .describe("Would have been refused, and was let in; with `joined`: would have been checked"),
    would_challenge: z
      .enum(challengeGrades)
      .nullable()
      .describe("The check that shadow mode has spared the player"),
    suspicion: z
      .object({
        score: z.int().describe("From 0 to 100"),
        parts: z.record(z.string(), z.int()).describe("The points of each signal"),
      })
      .nullable()
      .describe("Null for known players, where nothing is suspicious, and of earlier edges"),
    player: z.string(),
    ip: z.string().describe("Shortened, `203.0.*.*`, for members without the right to addresses"),
    country: z.string().nullable().describe("Two letters; null where no database knows it"),
    network: z
      .object({ asn: z.int(), name: z.string() })
      .nullable()
      .describe("The autonomous system of the address; null where no database knows it"),
    edition: z.enum(editions),
    version: z
      .string()
      .nullable()
      .describe("Of Minecraft, by the client's protocol number; null for Bedrock"),
    protocol: z.int().describe("Of the edition; 0 where a player of Bedrock has not told theirs"),
    host: z.string().describe("The name the player joined by"),
    edge: z.string(),
    trace: z.string().describe("The code a refused player reads"),
    facts: z.record(z.string(), z.string()).describe("What the verdict was made from"),
  })
  .meta({ id: "LogEntry" });

export type LogEntry = z.infer<typeof logEntry>;

/**
 * A trace code as people write it: in lower case, with spaces or hyphens, and with the letters that
 * the codes leave out because they look like digits.
 *
 * @example
 * tidyTrace("7k3m 9qxw") // "7K3M9QXW"
 */
export function tidyTrace(text: string): string {
  return text.replaceAll(/[\s-]/g, "").toUpperCase().replaceAll("O", "0").replaceAll(/[IL]/g, "1");
}

const player = z
  .string("player.invalid")
  .trim()
  .regex(/^[\x20-\x7e]{1,16}$/, "player.invalid");

const filters = {
  verdict: z.enum([...loginVerdicts, ...verdictGroups], "verdict.invalid").optional(),
  edition: z.enum(editions, "edition.invalid").optional(),
  player: player.optional(),
  ip: z
    .string("ip.invalid")
    .trim()
    .max(64, "ip.invalid")
    .refine(isAddressOrRange, "ip.invalid")
    .optional()
    .describe("An address or CIDR range; needs the right to addresses"),
  country: z
    .string("player_country.invalid")
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, "player_country.invalid")
    .optional(),
  host: z
    .string("player_host.invalid")
    .trim()
    .regex(/^[\x21-\x7e]{1,255}$/, "player_host.invalid")
    .optional()
    .describe("Without regard to case"),
  trace: z
    .string("trace.invalid")
    .max(64, "trace.invalid")
    .transform(tidyTrace)
    .pipe(z.string().regex(/^[0-9A-HJKMNP-TV-Z]{8}$/, "trace.invalid"))
    .optional()
    .describe("In any case, with or without spaces"),
  // Fewer characters, or only signs, find nearly everything, and no index helps.
  q: z
    .string("search.invalid")
    .trim()
    .regex(/^[\x20-\x7e]{3,64}$/, "search.invalid")
    .regex(/[a-z\d]{2}/i, "search.invalid")
    .optional()
    .describe("Part of a player's name, domain or trace code; or an address or the begin of one"),
};

const period = {
  from: z.iso.datetime({ offset: true, error: "time.invalid" }).optional(),
  to: z.iso.datetime({ offset: true, error: "time.invalid" }).optional(),
};

/** Everything that narrows the list. */
export const logFilter = z.object({ ...filters, ...period });
export type LogFilter = z.output<typeof logFilter>;

const errors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;
const ofShield = { family: "api", access: "member", area: "logs", params: serverParams } as const;

export const listLogEntries = route({
  id: "logs.entries",
  method: "GET",
  path: "/servers/:id/logs/entries",
  ...ofShield,
  apiKey: "read",
  summary: "Logins of a shield, the newest first",
  querystring: logFilter.extend({
    cursor: z.string("cursor.invalid").max(200, "cursor.invalid").optional(),
  }),
  success: 200,
  response: z.object({
    data: z.array(logEntry).max(100),
    next_cursor: z.string().nullable().describe("For the entries before; null at the end"),
    days: z.int().describe("How many days the shield's plan keeps"),
    addresses: z.boolean().describe("False: addresses are shortened, and no filter"),
    places: z.boolean().describe("Whether countries and networks are looked up"),
  }),
  errors: [...errors],
  limits: [{ per: "user", max: 240, windowSeconds: 60, perProcess: true }],
});

/** Rows of one exported file. */
export const exportedEntriesMax = 100_000;

export const exportLogEntries = route({
  id: "logs.export",
  method: "GET",
  path: "/servers/:id/logs/entries.csv",
  ...ofShield,
  apiKey: "read",
  notInViews: true,
  summary: "Export logins of a shield",
  querystring: logFilter,
  success: 200,
  response: z.string(),
  errors: [...errors],
  limits: [{ per: "user", max: 30, windowSeconds: 3600 }],
});

/** A line of the live tail. */
export const tailLine = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("entries"), entries: z.array(logEntry) }),
  /** More arrived at once than is sent: the list has the others. */
  z.object({ kind: z.literal("gap") }),
  /** Sent while there is nothing else, so that a dead connection is noticed. */
  z.object({ kind: z.literal("beat") }),
  /** The reader connects again with `after`, where its rights are looked at anew. */
  z.object({ kind: z.literal("end") }),
]);
export type TailLine = z.infer<typeof tailLine>;

export const tailLogEntries = route({
  id: "logs.tail",
  method: "GET",
  path: "/servers/:id/logs/tail",
  ...ofShield,
  apiKey: "read",
  // It could outlive the view, and takes one of the places that the customer has.
  notInViews: true,
  summary: "Follow the logins of a shield as they arrive",
  querystring: z.object({
    ...filters,
    after: uuid.describe("Id of the last entry that was received").optional(),
    seconds: z.coerce
      .number("seconds.invalid")
      .int("seconds.invalid")
      .min(0, "seconds.invalid")
      .max(300, "seconds.invalid")
      .default(120)
      .describe("How long to follow; 0 sends what has arrived after `after`"),
  }),
  success: 200,
  streams: true,
  response: z.string().meta({ contentMediaType: "application/x-ndjson" }),
  errors: [...errors],
  limits: [{ per: "user", max: 60, windowSeconds: 60, perProcess: true }],
});

/** Seconds between two looks at the list; 0 is never. */
export const refreshIntervals = [0, 5, 10, 30, 60] as const;
export type RefreshInterval = (typeof refreshIntervals)[number];

export const logSettings = z
  .object({
    available_intervals: z
      .record(z.string(), z.string())
      .describe("Seconds, and what they are called"),
    logs_refresh_interval: z.int().describe("Of the caller alone; 0 is never"),
    logs_refresh_interval_display: z.string(),
  })
  .meta({ id: "LogSettings" });

export type LogSettings = z.infer<typeof logSettings>;

export const getLogSettings = route({
  id: "logs.settings",
  method: "GET",
  path: "/servers/:id/logs",
  ...ofShield,
  apiKey: "read",
  summary: "How often the caller reads the log again",
  success: 200,
  response: logSettings,
  errors: [...errors],
  limits: defaultLimits.read,
});

export const updateLogSettings = route({
  id: "logs.updateSettings",
  method: "PUT",
  path: "/servers/:id/logs",
  ...ofShield,
  right: "view",
  apiKey: "write",
  summary: "Choose how often to read the log again",
  body: z
    .object({
      logs_refresh_interval: z.literal([...refreshIntervals], "interval.invalid"),
    })
    .meta({ id: "LogSettingsUpdate" }),
  success: 200,
  response: z.object({ message: z.string(), logs: logSettings }),
  errors: [...errors],
  limits: [{ per: "user", max: 60, windowSeconds: 60 }],
});

export const erasePlayer = route({
  id: "logs.erasePlayer",
  method: "POST",
  path: "/servers/:id/logs/erase",
  family: "api",
  access: "owner",
  apiKey: "none",
  recent: true,
  summary: "Erase one player from the log",
  params: serverParams,
  body: z.object({ player }).meta({ id: "PlayerErasure" }),
  success: 200,
  response: acknowledgement.extend({
    erased: z.int().describe("Entries that are gone"),
    finished: z.boolean().describe("False: the others follow within minutes"),
  }),
  errors: [...errors, "step_up_required"],
  limits: [{ per: "shield", max: 60, windowSeconds: 3600 }],
});

export const logRoutes = {
  listLogEntries,
  exportLogEntries,
  tailLogEntries,
  getLogSettings,
  updateLogSettings,
  erasePlayer,
};
