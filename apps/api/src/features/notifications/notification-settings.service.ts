import {
  minuteOfDay,
  writeMinuteOfDay,
  type NotificationSettings,
  type updateNotificationSettingsBody,
} from "@palisade/contract/http/notifications";
import type { z } from "zod";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { etagOf, requireMatch } from "#src/platform/http/etag.ts";
import {
  readSettings,
  saveSettings,
  type StoredSettings,
} from "./notification-settings.repository.ts";
import { dropWaitingOfShield } from "./webhooks.repository.ts";

export async function getNotifications(db: Executor, shieldId: string) {
  const stored = await readSettings(db, shieldId);
  return { notifications: present(stored), etag: etagOf(["notifications", stored.version]) };
}

interface Request {
  readonly shieldId: string;
  readonly now: Date;
  readonly ifMatch: string | undefined;
}

/** A setting that is left out stays as it is. */
export async function updateNotifications(
  writes: ShieldWrites,
  trx: Trx,
  request: Request,
  body: z.output<typeof updateNotificationSettingsBody>,
) {
  const { shieldId, now } = request;
  await writes.lockActive(trx, shieldId);
  const before = await getNotifications(trx, shieldId);
  requireMatch(request, before.etag);
  const wanted = { ...before.notifications, ...withoutMissing(body) };
  await saveSettings(trx, shieldId, toStored(wanted));
  if (!wanted.webhook_notifications) await dropWaitingOfShield(trx, shieldId);
  const after = await getNotifications(trx, shieldId);
  await recordChange(
    trx,
    { shieldId, now },
    "notifications",
    changesOf(before.notifications, after.notifications),
  );
  return after;
}

function withoutMissing(
  body: z.output<typeof updateNotificationSettingsBody>,
): Partial<NotificationSettings> {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

function toStored(settings: NotificationSettings): Omit<StoredSettings, "version"> {
  const { quiet_hours, attack_started_msg, attack_stopped_msg, mail_events, ...rest } = settings;
  return {
    ...rest,
    mail_events: [...new Set(mail_events)],
    attack_started_msg: clean(attack_started_msg),
    attack_stopped_msg: clean(attack_stopped_msg),
    quiet_from: quiet_hours === null ? null : minuteOfDay(quiet_hours.from),
    quiet_until: quiet_hours === null ? null : minuteOfDay(quiet_hours.until),
  };
}

/** Without control characters and halves of characters, which chats, mails or the database refuse. */
function clean(text: string): string {
  return text.replace(/(?!\n)\p{Cc}|\p{Cs}/gu, "").trimEnd();
}

function present(stored: StoredSettings): NotificationSettings {
  const { quiet_from: from, quiet_until: until } = stored;
  return {
    email_notifications: stored.email_notifications,
    webhook_notifications: stored.webhook_notifications,
    attack_started_msg: stored.attack_started_msg,
    attack_stopped_msg: stored.attack_stopped_msg,
    mail_events: stored.mail_events,
    digest: stored.digest,
    quiet_hours:
      from === null || until === null
        ? null
        : { from: writeMinuteOfDay(from), until: writeMinuteOfDay(until) },
    time_zone: stored.time_zone,
  };
}

function changesOf(before: NotificationSettings, after: NotificationSettings) {
  const shown = (settings: NotificationSettings) => ({
    email_notifications: settings.email_notifications,
    webhook_notifications: settings.webhook_notifications,
    attack_started_msg: settings.attack_started_msg,
    attack_stopped_msg: settings.attack_stopped_msg,
    mail_events: settings.mail_events.toSorted().join(", "),
    digest: settings.digest,
    quiet_hours: quietText(settings),
    time_zone: settings.time_zone,
  });
  const [from, to] = [shown(before), shown(after)];
  // Both have the same fields.
  return (Object.keys(from) as (keyof typeof from)[]).map((field) => ({
    field,
    before: from[field],
    after: to[field],
  }));
}

function quietText({ quiet_hours: hours }: NotificationSettings): string | null {
  return hours === null ? null : `${hours.from}–${hours.until}`;
}
