import type { WebhookEventType } from "@palisade/contract/http/notification-events";
import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { withSavepoint } from "#src/platform/database/savepoint.ts";
import { insertDelivery } from "./deliveries.repository.ts";
import { eventPath, type EventData } from "./event-texts.ts";
import type { Reader } from "./event-values.ts";
import { messageBody } from "./formats/message-formats.ts";
import {
  countAttackMails,
  markSpread,
  takeNewEvents,
  tryToHold,
  type NewEvent,
} from "./notification-events.repository.ts";
import { readSettings, type StoredSettings } from "./notification-settings.repository.ts";
import { isQuiet, mailDueAt, type MailTimes } from "./quiet-hours.policy.ts";
import { selectReceivers, type ReceivingWebhook } from "./webhooks.repository.ts";

export interface SpreadingDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  /** Origin of the console, for links. */
  readonly consoleOrigin: () => string;
}

const eventsAtOnce = 50;
/** Further events of attacks come together in one mail at the full hour. */
const attackMailsPerHour = 6;

/**
 * Makes the deliveries of new events and sets the time of their mails, once, in the order of the
 * events: one process at a time. An event whose messages cannot be written is logged and left out,
 * so that it does not hold up the others.
 *
 * @returns whether there may be more
 */
export function spreadEvents(deps: SpreadingDeps): Promise<boolean> {
  return deps.db.transaction().execute(async (trx) => {
    if (!(await tryToHold(trx, "spread"))) return false;
    const events = await takeNewEvents(trx, eventsAtOnce);
    for (const event of events) {
      await withSavepoint(trx, () => spread(deps, trx, event)).catch((error: unknown) => {
        deps.log.error({ err: error, eventId: event.id }, "An event cannot be told");
        return markSpread(trx, event.id, { now: deps.clock.now(), mailDueAt: null });
      });
    }
    return events.length === eventsAtOnce;
  });
}

async function spread(deps: SpreadingDeps, trx: Trx, event: NewEvent): Promise<void> {
  const now = deps.clock.now();
  const settings = await readSettings(trx, event.shield_id);
  const isTold = event.status !== "deleted";
  const isMailed =
    isTold && settings.email_notifications && includes(settings.mail_events, event.kind);
  const dueAt = isMailed ? mailDueAt(await mailTimesOf(trx, event, settings, now), now) : null;
  await markSpread(trx, event.id, { now, mailDueAt: dueAt });
  if (!isTold || !settings.webhook_notifications) return;
  for (const webhook of await selectReceivers(trx, event.shield_id, event.kind)) {
    const { thread, kind, at } = event;
    await queueMessage(deps, trx, webhook, {
      kind,
      thread,
      at,
      data: eventData(event, settings),
      settings,
      locale: event.locale ?? "en",
    });
  }
}

/** Attackers begin and stop as often as they like: an owner is not mailed each time. */
async function mailTimesOf(
  trx: Trx,
  { kind, shield_id: shieldId }: NewEvent,
  settings: StoredSettings,
  now: Date,
): Promise<MailTimes> {
  const times = timesOf(settings);
  if (times.digest !== "off" || !kind.startsWith("attack.")) return times;
  const isMuch = (await countAttackMails(trx, shieldId, now)) >= attackMailsPerHour;
  return isMuch ? { ...times, digest: "hourly" } : times;
}

function includes(kinds: readonly string[], kind: string): boolean {
  return kinds.includes(kind);
}

/** The data of an event's messages, with the owner's own text where there is one. */
export function eventData(
  event: Pick<NewEvent, "kind" | "data" | "shield_id" | "server_name">,
  settings: StoredSettings,
): EventData {
  const { shield_id, server_name } = event;
  const own: Partial<Record<WebhookEventType, string>> = {
    "attack.started": settings.attack_started_msg,
    "attack.level_relaxed": "",
    "attack.ended": settings.attack_stopped_msg,
  };
  const message = own[event.kind];
  return {
    server_id: shield_id,
    server_name,
    ...event.data,
    ...(message === undefined ? {} : { message }),
  };
}

export function timesOf({ digest, quiet_from, quiet_until, time_zone }: StoredSettings): MailTimes {
  const quietHours =
    quiet_from === null || quiet_until === null ? null : { from: quiet_from, until: quiet_until };
  return { digest, quietHours, timeZone: time_zone };
}

export interface QueuedMessage {
  readonly kind: WebhookEventType;
  readonly thread: string | null;
  readonly at: Date;
  readonly data: EventData;
  readonly settings: StoredSettings;
  readonly locale: Reader["locale"];
}

/** @returns the id of the delivery, which is due at once */
export async function queueMessage(
  { clock, consoleOrigin }: Omit<SpreadingDeps, "db" | "log">,
  trx: Trx,
  webhook: Pick<ReceivingWebhook, "id" | "format">,
  { kind, thread, at, data, settings, locale }: QueuedMessage,
): Promise<string> {
  const now = clock.now();
  const { quietHours, timeZone } = timesOf(settings);
  const id = newId();
  await insertDelivery(trx, {
    id,
    webhook_id: webhook.id,
    kind,
    thread,
    body: messageBody(webhook.format, {
      kind,
      at,
      data,
      reader: { locale, timeZone },
      url: `${consoleOrigin()}${eventPath(data)}`,
      isSilent: quietHours !== null && isQuiet(quietHours, timeZone, now),
    }),
    next_at: now,
    created_at: now,
  });
  return id;
}
