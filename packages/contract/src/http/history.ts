import { z } from "zod";
import { serverParams, timestamp, uuid } from "./fields.ts";
import { paged, pageQuery } from "./paging.ts";
import { defaultLimits, route } from "./route.ts";

/** The parts of a shield's settings. */
export const settingAreas = [
  "general",
  "backends",
  "domains",
  "mitigation",
  "caching",
  "messages",
  "bedrock",
  "firewall",
] as const;
export type SettingArea = (typeof settingAreas)[number];

/** The subjects of a shield's history: its settings, the people, and the subscription. */
export const historyAreas = [...settingAreas, "notifications", "members", "plan"] as const;
export type HistoryArea = (typeof historyAreas)[number];

export const authorKinds = ["owner", "member", "staff", "operator", "system"] as const;
export type AuthorKind = (typeof authorKinds)[number];

/** Entries of a list that an answer names; the counts are of all. */
export const namedEntriesMax = 50;

const value = z.union([z.string(), z.number(), z.boolean()]).nullable();

export const settingChange = z
  .object({
    field: z.string().describe("The setting, or the list"),
    item: z.string().nullable().describe("The group, domain or person that it is about"),
    before: value.describe("Null where it was not set"),
    after: value.describe("Null where it is not set any more"),
    added: z.array(z.string()).max(namedEntriesMax).describe("Of a list"),
    removed: z.array(z.string()).max(namedEntriesMax),
    added_count: z.int(),
    removed_count: z.int(),
  })
  .meta({ id: "SettingChange" });

export type SettingChange = z.infer<typeof settingChange>;

export const historyEntry = z
  .object({
    id: uuid,
    area: z.enum(historyAreas),
    revision: z.int().nullable().describe("Null where edges have nothing to know"),
    author: z.object({
      kind: z.enum(authorKinds),
      name: z.string().describe("In words: an e-mail, the support, the system"),
      key: z.string().nullable().describe("Name of the API key that was used"),
    }),
    changes: z.array(settingChange),
    created_at: timestamp,
  })
  .meta({ id: "HistoryEntry" });

export type HistoryEntry = z.infer<typeof historyEntry>;

export const historyFilter = z.object({
  area: z.enum(historyAreas, "history.area").optional(),
  by: z
    .union([uuid, z.enum(["staff", "operator", "system"])], "history.author")
    .describe("Id of an account, or a word for those who have none here")
    .optional(),
  days: z.coerce
    .number("days.invalid")
    .int("days.invalid")
    .min(1, "days.invalid")
    .max(365, "days.invalid")
    .default(365),
});

const errors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;

export const listHistory = route({
  id: "history.list",
  method: "GET",
  path: "/servers/:id/history",
  family: "api",
  access: "member",
  area: "history",
  apiKey: "read",
  summary: "Changes of a shield, newest first",
  params: serverParams,
  querystring: pageQuery.extend(historyFilter.shape),
  success: 200,
  response: paged(historyEntry).extend({
    authors: z
      .array(z.object({ value: z.string(), name: z.string() }))
      .describe("Of all entries, for the filter"),
  }),
  errors: [...errors],
  limits: defaultLimits.read,
});

export const exportHistory = route({
  id: "history.export",
  method: "GET",
  path: "/servers/:id/history.csv",
  family: "api",
  access: "member",
  area: "history",
  apiKey: "read",
  notInViews: true,
  summary: "Export changes of a shield",
  params: serverParams,
  querystring: historyFilter,
  success: 200,
  response: z.string(),
  errors: [...errors],
  limits: [{ per: "user", max: 30, windowSeconds: 3600 }],
});

export const leftOut = z
  .object({
    area: z.enum(settingAreas),
    field: z.string(),
    item: z.string().nullable(),
    reason: z.string().describe("Why it was not restored, in words"),
  })
  .meta({ id: "LeftOut" });

export type LeftOut = z.infer<typeof leftOut>;

const entryParams = serverParams.extend({ entryId: uuid });

export const compareHistory = route({
  id: "history.compare",
  method: "GET",
  path: "/servers/:id/history/:entryId/compare",
  family: "api",
  access: "member",
  area: "history",
  apiKey: "read",
  summary: "Compare settings of two times",
  params: entryParams,
  querystring: z.object({
    with: uuid.describe("Another entry; without it, the settings of now").optional(),
  }),
  success: 200,
  response: z.object({
    areas: z.array(
      z.object({
        area: z.enum(settingAreas),
        changes: z.array(settingChange).describe("From the other settings to those of the entry"),
      }),
    ),
  }),
  errors: [...errors],
  limits: defaultLimits.read,
});

export const restoreHistory = route({
  id: "history.restore",
  method: "POST",
  path: "/servers/:id/history/:entryId/restore",
  family: "api",
  access: "member",
  area: "history",
  right: "view",
  apiKey: "write",
  summary: "Restore the settings as they were after a change",
  params: entryParams,
  body: z.object({
    areas: z.array(z.enum(settingAreas, "history.area")).max(settingAreas.length).optional(),
  }),
  success: 200,
  response: z.object({
    message: z.string(),
    revision: z.int().nullable().describe("Null where nothing was restored"),
    restored: z.array(z.enum(settingAreas)),
    left_out: z.array(leftOut),
  }),
  errors: [...errors, "server_not_active"],
  limits: [{ per: "shield", max: 10, windowSeconds: 60 }],
});

export const historyRoutes = { listHistory, exportHistory, compareHistory, restoreHistory };
