import type { TicketCategory, TicketSeverity } from "@palisade/contract/http/tickets";
import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";

export interface EscalatedTicket {
  readonly id: string;
  readonly number: string;
  readonly user_id: string;
  readonly category: TicketCategory;
  readonly severity: TicketSeverity;
  readonly due_at: Date | null;
}

const batchMax = 50;

/** Critical tickets that staff have neither answered nor been told of. */
export async function takeCritical(trx: Trx, now: Date): Promise<EscalatedTicket[]> {
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

/** Tickets whose answer is overdue, once for each time that it was due. */
export async function takeOverdue(trx: Trx, now: Date): Promise<EscalatedTicket[]> {
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
