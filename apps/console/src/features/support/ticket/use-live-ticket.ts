import { useLingui } from "@lingui/react/macro";
import { mergeMessages } from "@palisade/contract/http/live-client";
import { useRef } from "react";
import { useTicketChannel } from "#src/api/use-ticket-channel.ts";
import { toast } from "#src/ui/toasts.tsx";
import { changeTicket, refreshTicket, refreshTickets } from "../tickets.queries.ts";
import { mergeTickets } from "./merge-tickets.ts";

/** Keeps the ticket on screen as it is now, and tells of answers of support. */
export function useLiveTicket(id: string) {
  const { t } = useLingui();
  const told = useRef(new Set<string>());
  return useTicketChannel(id, {
    onSubscribed: () => void refreshTicket(id),
    onMessage(message) {
      changeTicket(id, (held) => ({
        ...held,
        messages: mergeMessages(held.messages, [message]),
      }));
      // Another read of the ticket may have shown it already, which is no reason to keep quiet.
      if (message.is_admin && !told.current.has(message.id)) {
        told.current.add(message.id);
        toast("info", t`New message from support`);
      }
      // Its writer may be new among the members.
      void refreshTicket(id);
      void refreshTickets();
    },
    onStatus({ status, updated_at }) {
      changeTicket(id, (held) => mergeTickets({ ...held, status, updated_at }, held));
      // Closing and reopening change more than the status, such as until when it can be reopened.
      void refreshTicket(id);
      void refreshTickets();
    },
  });
}
