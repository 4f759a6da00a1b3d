import { z } from "zod";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Trx } from "#src/platform/database/db.ts";

/** Notifications about tickets, read by the live channel of every api process. */
export const ticketEventsChannel = "palisade_ticket_event";

const ticketEvent = z.object({
  ticket_id: z.uuid(),
  /** `message`: a message was written, perhaps with a new status. `status`: only the ticket changed. */
  kind: z.enum(["message", "status"]),
  message_id: z.uuid().optional(),
});

export type TicketEvent = z.infer<typeof ticketEvent>;

/**
 * Told when `trx` commits. The payload only says where to look: readers load the message and the
 * status from PostgreSQL, and check who may see it.
 */
export async function announceTicketEvent(bus: Bus, trx: Trx, event: TicketEvent): Promise<void> {
  await bus.notify(trx, ticketEventsChannel, JSON.stringify(event));
}

/** Null for a payload that no ticket event has. */
export function readTicketEvent(payload: string): TicketEvent | null {
  try {
    return ticketEvent.safeParse(JSON.parse(payload)).data ?? null;
  } catch {
    return null;
  }
}
