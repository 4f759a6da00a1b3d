import { z } from "zod";
import { serverParams } from "./fields.ts";
import { mailEvents } from "./notification-events.ts";
import { defaultLimits, route } from "./route.ts";

/** Characters of the owner's own text about an attack. */
export const attackMessageMax = 500;

export const digests = ["off", "hourly", "daily"] as const;
export type Digest = (typeof digests)[number];

const minutesOfDay = 24 * 60;
export const clockTime = z
  .string("time_of_day.invalid")
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "time_of_day.invalid")
  .describe("`HH:MM`");

/** Whether the runtime knows the IANA time zone. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export const timeZone = z
  .string("time_zone.invalid")
  .max(64, "time_zone.invalid")
  .regex(/^[A-Za-z][\w+/-]*$/, "time_zone.invalid")
  .refine(isTimeZone, "time_zone.invalid")
  .describe("IANA name, e.g. `Europe/Berlin`");

const attackMessage = z
  .string("message.invalid")
  .max(attackMessageMax, "message.max")
  .describe(
    "Empty: the text of the product. Placeholders `{server}`, `{peak}`, `{refused}`, `{duration}`",
  );

export const notificationSettings = z
  .object({
    email_notifications: z.boolean("boolean.invalid"),
    webhook_notifications: z.boolean("boolean.invalid"),
    attack_started_msg: attackMessage,
    attack_stopped_msg: attackMessage,
    mail_events: z
      .array(z.enum(mailEvents, "notification.event"), "notification.event")
      .max(mailEvents.length, "notification.event")
      .describe("The events that are mailed"),
    digest: z
      .enum(digests, "notification.digest")
      .describe("Several events in one mail: each hour, or each day at 9:00"),
    quiet_hours: z
      .object({ from: clockTime, until: clockTime })
      .refine(({ from, until }) => from !== until, { path: ["until"], error: "time.same" })
      .meta({ id: "QuietHours" })
      .nullable()
      .describe("Mails wait until they end, and messages in chats make no sound"),
    time_zone: timeZone,
  })
  .meta({ id: "NotificationSettings" });

export type NotificationSettings = z.infer<typeof notificationSettings>;

/** A setting that is left out stays as it is. */
export const updateNotificationSettingsBody = notificationSettings
  .partial()
  .meta({ id: "NotificationSettingsUpdate" });

/** Minutes since midnight of a time as it is written. */
export function minuteOfDay(written: string): number {
  const [hours = "0", minutes = "0"] = written.split(":");
  return (Number(hours) * 60 + Number(minutes)) % minutesOfDay;
}

export function writeMinuteOfDay(minute: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

const memberErrors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;

export const getNotifications = route({
  id: "notifications.get",
  method: "GET",
  path: "/servers/:id/notifications",
  family: "api",
  access: "member",
  area: "notifications",
  apiKey: "read",
  summary: "What the owner is told of a shield",
  params: serverParams,
  success: 200,
  response: notificationSettings,
  errors: [...memberErrors],
  limits: defaultLimits.read,
});

export const updateNotifications = route({
  id: "notifications.update",
  method: "PUT",
  path: "/servers/:id/notifications",
  family: "api",
  access: "member",
  area: "notifications",
  apiKey: "write",
  summary: "Change what the owner is told of a shield",
  params: serverParams,
  body: updateNotificationSettingsBody,
  success: 200,
  response: z.object({ message: z.string(), notifications: notificationSettings }),
  errors: [...memberErrors, "server_not_active", "precondition_failed"],
  limits: [{ per: "shield", max: 600, windowSeconds: 600 }],
});

export const notificationRoutes = { getNotifications, updateNotifications };
