import { z } from "zod";
import { acknowledgement, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";
import { staffChangeErrors, staffReadErrors } from "./staff-errors.ts";
import { staffReason } from "./staff-roles.ts";
import { tidyLine } from "./tidy-line.ts";

export const announcementLevels = ["info", "warning", "critical"] as const;
export type AnnouncementLevel = (typeof announcementLevels)[number];
export const announcementCharactersMax = 500;

export const announcement = z
  .object({
    id: uuid,
    level: z.enum(announcementLevels),
    text: z.string().describe("In the language of the request"),
    changed_at: timestamp.describe("An announcement that changed is shown again"),
  })
  .meta({ id: "Announcement" });

export const staffAnnouncement = z
  .object({
    id: uuid,
    level: z.enum(announcementLevels),
    en: z.string(),
    ru: z.string(),
    starts_at: timestamp,
    ends_at: timestamp.nullable(),
    state: z.enum(["planned", "shown", "over"]),
    changed_at: timestamp,
  })
  .meta({ id: "StaffAnnouncement" });

export type StaffAnnouncement = z.infer<typeof staffAnnouncement>;

const text = z
  .string("required")
  .overwrite(tidyLine)
  .min(1, "required")
  .max(announcementCharactersMax, "text.max");
const moment = z.iso.datetime({ offset: true, error: "time.invalid" });

export const announcementBody = z
  .object({
    level: z.enum(announcementLevels, "level.invalid"),
    en: text,
    ru: text,
    starts_at: moment,
    ends_at: moment.nullable().describe("Null: until it is deleted"),
    reason: staffReason,
  })
  .meta({ id: "StaffAnnouncementEdit" });

export const listAnnouncements = route({
  id: "announcements.list",
  method: "GET",
  path: "/announcements",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "What staff announce now",
  success: 200,
  response: z.object({ announcements: z.array(announcement) }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

const shared = {
  family: "api",
  access: "staff",
  staffRoles: ["support", "operations"],
  apiKey: "none",
} as const;
const params = z.object({ announcementId: uuid });

export const listStaffAnnouncements = route({
  ...shared,
  id: "staffAnnouncements.list",
  method: "GET",
  path: "/staff/announcements",
  summary: "List announcements, the newest first",
  success: 200,
  response: z.object({ announcements: z.array(staffAnnouncement) }),
  errors: [...staffReadErrors],
  limits: defaultLimits.read,
});

export const createAnnouncement = route({
  ...shared,
  id: "staffAnnouncements.create",
  method: "POST",
  path: "/staff/announcements",
  summary: "Write an announcement",
  body: announcementBody,
  success: 201,
  response: acknowledgement.extend({ announcement: staffAnnouncement }),
  errors: [...staffChangeErrors],
  limits: defaultLimits.change,
});

export const updateAnnouncement = route({
  ...shared,
  id: "staffAnnouncements.update",
  method: "PUT",
  path: "/staff/announcements/:announcementId",
  summary: "Change an announcement",
  params,
  body: announcementBody,
  success: 200,
  response: acknowledgement.extend({ announcement: staffAnnouncement }),
  errors: [...staffChangeErrors, "not_found"],
  limits: defaultLimits.change,
});

export const deleteAnnouncement = route({
  ...shared,
  id: "staffAnnouncements.delete",
  method: "DELETE",
  path: "/staff/announcements/:announcementId",
  summary: "Delete an announcement",
  params,
  body: z.object({ reason: staffReason }),
  success: 200,
  response: acknowledgement,
  errors: [...staffChangeErrors, "not_found"],
  limits: defaultLimits.change,
});

export const announcementRoutes = { listAnnouncements };
export const staffAnnouncementRoutes = {
  listStaffAnnouncements,
  createAnnouncement,
  updateAnnouncement,
  deleteAnnouncement,
};
