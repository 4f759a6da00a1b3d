import { consolePaths } from "@palisade/contract/console-paths";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import { bodyOf } from "./formats/message-formats.ts";
import { wakeNotifications } from "./notification-events.repository.ts";
import { staffEventText, type StaffEvent } from "./staff-event-texts.ts";
import { staffTemplates } from "./staff-mails.ts";
import {
  insertStaffDelivery,
  selectStaff,
  selectStaffWebhook,
} from "./staff-webhook.repository.ts";

export interface StaffEventsDeps {
  readonly mailer: Mailer;
  readonly clock: Clock;
  /** Origin of the console, for links. */
  readonly consoleOrigin: () => string;
}

/** Tells staff by mail and by the operator's webhook, in the transaction in which it happens. */
export async function tellStaff(
  deps: StaffEventsDeps,
  trx: Trx,
  event: Exclude<StaffEvent, { kind: "webhook.test" }>,
): Promise<void> {
  const values = Object.fromEntries(
    Object.entries(event.data).map(([name, value]: [string, string | null]) => [name, value ?? ""]),
  );
  await mailStaff(deps, trx, staffTemplates[event.kind], {
    ...values,
    told_at: deps.clock.now().toISOString(),
  });
  await queueForStaff(deps, trx, event);
}

export async function mailStaff(
  { mailer }: Pick<StaffEventsDeps, "mailer">,
  trx: Trx,
  template: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const { email, locale } of await selectStaff(trx)) {
    await mailer.enqueue(trx, { to: email, locale, template, values });
  }
}

/** Does nothing where the operator has no webhook, or it is off. */
export async function queueForStaff(
  { clock, consoleOrigin }: Omit<StaffEventsDeps, "mailer">,
  trx: Trx,
  event: StaffEvent,
): Promise<void> {
  const webhook = await selectStaffWebhook(trx);
  if (webhook?.enabled !== true) return;
  const now = clock.now();
  await insertStaffDelivery(trx, {
    id: newId(),
    webhookId: webhook.id,
    kind: event.kind,
    body: bodyOf(webhook.format, {
      ...event,
      at: now,
      // A chat of the operator has no language of its own.
      said: staffEventText(event, now, "en"),
      url: `${consoleOrigin()}${consolePaths.dashboard}`,
      isSilent: false,
    }),
    now,
  });
  await wakeNotifications(trx);
}
