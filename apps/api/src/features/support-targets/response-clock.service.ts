import { ticketSeverities, type TicketSeverity } from "@palisade/contract/http/tickets";
import { measuredAnswersMin, type UsualAnswer } from "@palisade/contract/http/usual-answer";
import type { Locale } from "@palisade/contract/texts/render";
import { translated } from "#src/features/plans/translations.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { dueAt } from "./support-hours.policy.ts";
import {
  selectClock,
  selectHours,
  selectMedians,
  selectPlanOf,
  selectTargets,
  selectUnansweredSince,
  updateClock,
} from "./support-targets.repository.ts";
import { withUsualTargets } from "./usual-targets.policy.ts";

const measuredDays = 30;

/**
 * Sets when staff should answer, by the ticket's status, severity, its customer's support plan and
 * what was written. Call it after each of these has changed; the caller holds the ticket's lock.
 */
export async function refreshResponseClock(trx: Trx, ticketId: string, now: Date): Promise<void> {
  const ticket = await selectClock(trx, ticketId);
  if (ticket === undefined) return;
  const isStaffsTurn = ticket.status === "open" || ticket.status === "in_progress";
  if (!isStaffsTurn) return updateClock(trx, ticketId, { waiting_since: null, due_at: null });
  const waitingSince = (await selectUnansweredSince(trx, ticketId)) ?? ticket.waiting_since ?? now;
  const target = (await targetsOf(trx, ticket.user_id))[ticket.severity];
  const due_at = dueAt(target, await selectHours(trx), waitingSince);
  return updateClock(trx, ticketId, { waiting_since: waitingSince, due_at });
}

/** How soon the customer's tickets are usually answered, by severity. */
export async function usualAnswers(
  db: Executor,
  userId: string,
  now: Date,
): Promise<Readonly<Record<TicketSeverity, UsualAnswer>>> {
  const plan = await selectPlanOf(db, userId);
  const targets = await targetsOf(db, userId);
  const since = new Date(now.getTime() - measuredDays * 86_400_000);
  const medians = plan === undefined ? [] : await selectMedians(db, plan.id, since);
  const usual = (severity: TicketSeverity): UsualAnswer => {
    const { minutes, hours } = targets[severity];
    const measured = medians.find((median) => median.severity === severity);
    return measured === undefined || measured.answers < measuredAnswersMin
      ? { usual_minutes: minutes, hours }
      : { usual_minutes: Math.max(1, Math.round(measured.minutes)), hours: "always" };
  };
  return {
    low: usual("low"),
    medium: usual("medium"),
    high: usual("high"),
    critical: usual("critical"),
  };
}

/** The promise to the customer about a ticket's answer; null while none is due. */
export async function responseOf(
  db: Executor,
  ticket: {
    readonly user_id: string;
    readonly severity: TicketSeverity;
    readonly due_at: Date | null;
  },
  now: Date,
) {
  if (ticket.due_at === null) return null;
  const usual = await usualAnswers(db, ticket.user_id, now);
  return { ...usual[ticket.severity], target_at: ticket.due_at.toISOString() };
}

export async function supportPlanNameOf(db: Executor, userId: string, locale: Locale) {
  const plan = await selectPlanOf(db, userId);
  return plan === undefined ? "" : translated(plan, "name", locale);
}

export async function listResponseTimes(db: Executor, userId: string, now: Date) {
  const usual = await usualAnswers(db, userId, now);
  return ticketSeverities.map((severity) => ({ severity, ...usual[severity] }));
}

async function targetsOf(db: Executor, userId: string) {
  const plan = await selectPlanOf(db, userId);
  const rows = plan === undefined ? [] : await selectTargets(db, plan.id);
  return withUsualTargets(rows);
}
