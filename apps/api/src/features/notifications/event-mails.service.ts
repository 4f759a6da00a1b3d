import type { NotificationEvent } from "@palisade/contract/http/notification-events";
import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { withSavepoint } from "#src/platform/database/savepoint.ts";
import type { Mailer, MailValues } from "#src/platform/mail/mailer.ts";
import {
  markMailed,
  selectShieldsToMail,
  takeEventsToMail,
  tryToHold,
} from "./notification-events.repository.ts";
import { readSettings } from "./notification-settings.repository.ts";
import { eventData } from "./spreading.service.ts";

export interface EventMailsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly log: Logger;
}

const shieldsAtOnce = 20;
/** A mail with more would not be read; the rest comes in the next one. */
const eventsInMailMax = 50;

/**
 * Mails the events that are due: one event in a mail of its own, several of a shield in one mail.
 * A shield whose mail cannot be written is logged and left out, so that it does not hold up the others.
 *
 * @returns whether there may be more
 */
export function mailEvents(deps: EventMailsDeps): Promise<boolean> {
  return deps.db.transaction().execute(async (trx) => {
    const now = deps.clock.now();
    if (!(await tryToHold(trx, "mail"))) return false;
    const shieldIds = await selectShieldsToMail(trx, now, shieldsAtOnce);
    let isFull = shieldIds.length === shieldsAtOnce;
    for (const shieldId of shieldIds) {
      const events = await takeEventsToMail(trx, shieldId, now, eventsInMailMax);
      isFull ||= events.length === eventsInMailMax;
      await markMailed(
        trx,
        events.map(({ id }) => id),
        now,
      );
      await withSavepoint(trx, () => mailShield(deps, trx, shieldId, events)).catch(
        (error: unknown) => deps.log.error({ err: error, shieldId }, "Events cannot be mailed"),
      );
    }
    return isFull;
  });
}

async function mailShield(
  { mailer }: EventMailsDeps,
  trx: Trx,
  shieldId: string,
  events: Awaited<ReturnType<typeof takeEventsToMail>>,
): Promise<void> {
  const settings = await readSettings(trx, shieldId);
  // The owner may have switched mails or the event off since it happened.
  const chosen: readonly string[] = settings.email_notifications ? settings.mail_events : [];
  const wanted = events.filter(({ kind }) => chosen.includes(kind));
  const [first] = wanted;
  if (first === undefined || first.email === null || first.status === "deleted") return;
  const lines = wanted.map((event) => ({ kind: event.kind, data: eventData(event, settings) }));
  await mailer.enqueue(trx, {
    to: first.email,
    locale: first.locale ?? "en",
    template: lines.length === 1 ? `notifications.${first.kind}` : "notifications.digest",
    values: {
      shieldId,
      server: first.server_name,
      timeZone: settings.time_zone,
      ...writeEvents(lines),
    },
  });
}

interface MailedEvent {
  readonly kind: NotificationEvent;
  readonly data: object;
}

/** Values of mails are flat. */
function writeEvents(events: readonly MailedEvent[]): MailValues {
  return { events: JSON.stringify(events) };
}
