import {
  readTicketEvent,
  ticketEventsChannel,
} from "#src/features/tickets/ticket-events.service.ts";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { TicketMails } from "./ticket-mails.service.ts";

/**
 * A bus on which each event of a ticket also leads to the mails about it, in the transaction that it
 * belongs to: by whatever call a ticket is answered, the customer gets the mail.
 */
export function mailTicketEvents(bus: Bus, mails: TicketMails): Bus {
  return {
    listen: (channel, onMessage, onReconnect) => bus.listen(channel, onMessage, onReconnect),
    async notify(executor, channel, payload) {
      await bus.notify(executor, channel, payload);
      if (channel !== ticketEventsChannel) return;
      const event = readTicketEvent(payload);
      if (event === null || !isTrx(executor)) return;
      if (event.kind === "status") await mails.statusChanged(executor, event.ticket_id);
      else if (event.message_id !== undefined) await mails.messageAdded(executor, event.message_id);
    },
  };
}

function isTrx(executor: Executor): executor is Trx {
  return executor.isTransaction;
}
