import { sql } from "kysely";
import type { TicketCategory, TicketSeverity } from "@palisade/contract/http/tickets";
import { supportPlanNameOf } from "#src/features/support-targets/response-clock.service.ts";
import {
  tellStaff,
  type StaffEventsDeps,
} from "#src/features/notifications/staff-events.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";

interface EscalatedTicket {
  readonly id: string;
  readonly number: string;
  readonly user_id: string;
  readonly category: TicketCategory;
  readonly severity: TicketSeverity;
  readonly due_at: Date | null;
}

const batchMax = 50;

/**
 * Tells staff once of each critical ticket that nobody has answered, and once of each ticket whose
 * answer is overdue. Two processes at once never tell of the same one.
 */
export async function escalateTickets(deps: StaffEventsDeps & { readonly db: Db }): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const now = deps.clock.now();
    for (const ticket of await takeCritical(trx, now)) {
      await tell(deps, trx, "ticket.critical", ticket);
    }
    for (const ticket of await takeOverdue(trx, now)) {
      await tell(deps, trx, "ticket.overdue", ticket);
    }
  });
}

async function tell(
  deps: StaffEventsDeps,
  trx: Trx,
  kind: "ticket.critical" | "ticket.overdue",
  ticket: EscalatedTicket,
): Promise<void> {
  await tellStaff(deps, trx, {
    kind,
    ticketId: ticket.id,
    // Nothing that the customer typed: it goes to a chat of the operator's choice.
    data: {
      ticket: `#${ticket.number}`,
      category: ticket.category,
      severity: ticket.severity,
      support_plan: await supportPlanNameOf(trx, ticket.user_id, "en"),
      due_at: ticket.due_at?.toISOString() ?? null,
    },
  });
}

async function takeCritical(trx: Trx, now: Date): Promise<EscalatedTicket[]> {
  const { rows } = await sql<EscalatedTicket>`
    update tickets set critical_told_at = ${now}
    where id in (
      select id from tickets
      where severity = 'critical' and status in ('open', 'in_progress')
        and critical_told_at is null and answered_at is null
      order by created_at limit ${batchMax} for no key update skip locked)
    returning id, number, user_id, category, severity, due_at
  `.execute(trx);
  return rows;
}

async function takeOverdue(trx: Trx, now: Date): Promise<EscalatedTicket[]> {
  const { rows } = await sql<EscalatedTicket>`
    update tickets set escalated_at = ${now}
    where id in (
      select id from tickets
      where due_at <= ${now} and escalated_at is null
        and (snoozed_until is null or snoozed_until <= ${now})
      order by due_at limit ${batchMax} for no key update skip locked)
    returning id, number, user_id, category, severity, due_at
  `.execute(trx);
  return rows;
}
