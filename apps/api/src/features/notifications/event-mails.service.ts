import type { NotificationEvent } from "@palisade/contract/http/notification-events";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
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
}

const shieldsAtOnce = 20;
/** A mail with more would not be read; the rest comes in the next one. */
const eventsInMailMax = 50;

/**
 * Mails the events that are due: one event in a mail of its own, several of a shield in one mail.
 *
 * @returns whether there may be more
 */
export function mailEvents({ db, clock, mailer }: EventMailsDeps): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const now = clock.now();
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
      const [first] = events;
      if (first === undefined || first.email === null || first.status === "deleted") continue;
      const settings = await readSettings(trx, shieldId);
      const lines = events.map((event) => ({
        kind: event.kind,
        data: eventData(event, settings),
      }));
      const values = { shieldId, server: first.server_name, timeZone: settings.time_zone };
      await mailer.enqueue(trx, {
        to: first.email,
        locale: first.locale ?? "en",
        ...(lines.length === 1
          ? {
              template: `notifications.${first.kind}`,
              values: { ...values, ...writeEvents(lines) },
            }
          : { template: "notifications.digest", values: { ...values, ...writeEvents(lines) } }),
      });
    }
    return isFull;
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
