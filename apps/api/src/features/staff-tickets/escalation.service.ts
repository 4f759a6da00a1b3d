import { supportPlanNameOf } from "#src/features/support-targets/response-clock.service.ts";
import {
  tellStaff,
  type StaffEventsDeps,
} from "#src/features/notifications/staff-events.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { takeCritical, takeOverdue, type EscalatedTicket } from "./escalation.repository.ts";

/**
 * Tells staff once of each critical ticket without an answer, and once of each ticket whose
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
