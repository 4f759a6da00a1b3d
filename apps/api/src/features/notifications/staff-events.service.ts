import { consolePaths, staffPath } from "@palisade/contract/console-paths";
import { staffRoles, type StaffRole } from "@palisade/contract/http/staff-roles";
import type { TicketSeverity } from "@palisade/contract/http/tickets";
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
  const mail = { ...values, told_at: deps.clock.now().toISOString() };
  if (!("ticketId" in event)) await mailStaff(deps, trx, staffTemplates[event.kind], mail);
  else if (await deservesMail(trx, event.data.severity)) {
    await mailStaff(
      deps,
      trx,
      staffTemplates[event.kind],
      { ...mail, ticket_id: event.ticketId },
      event.data.category === "billing" ? ["support", "billing", "admin"] : ["support", "admin"],
    );
  }
  await queueForStaff(deps, trx, event);
}

/** Lesser tickets go to the operator's webhook alone, where there is one. */
async function deservesMail(trx: Trx, severity: TicketSeverity): Promise<boolean> {
  if (severity === "critical" || severity === "high") return true;
  return (await selectStaffWebhook(trx))?.enabled !== true;
}

function pathOf(event: StaffEvent): string {
  return "ticketId" in event ? staffPath("tickets", event.ticketId) : consolePaths.dashboard;
}

export async function mailStaff(
  { mailer }: Pick<StaffEventsDeps, "mailer">,
  trx: Trx,
  template: string,
  values: Readonly<Record<string, string>>,
  /** By default, all staff. */
  roles: readonly StaffRole[] = staffRoles,
): Promise<void> {
  for (const { email, locale } of await selectStaff(trx, roles)) {
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
      url: `${consoleOrigin()}${pathOf(event)}`,
      isSilent: false,
    }),
    now,
  });
  await wakeNotifications(trx);
}
