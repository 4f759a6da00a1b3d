import { useLingui } from "@lingui/react/macro";
import { replyAsStaff } from "@palisade/contract/http/staff-tickets";
import type { StaffTicketDetail } from "@palisade/contract/http/staff-ticket-shapes";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { fieldIssues, hasCode } from "#src/api/errors.ts";
import { createIdempotencyKeys } from "#src/api/idempotency.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { refreshTicket, ticketQuery } from "./tickets.queries.ts";

const draftKey = (ticketId: string, kind: string) => `staff draft ${kind} ${ticketId}`;

/** The newest message that the customer sees, too. */
function newestOf({ messages }: StaffTicketDetail) {
  return messages.findLast((message) => !message.is_internal);
}

/** The text that is being written about a ticket: kept over a reload, and sent once. */
export function useReply(ticket: StaffTicketDetail, kind: "reply" | "note") {
  const { t } = useLingui();
  const { id: ticketId } = ticket;
  const [drafts, setDrafts] = useState(() => ({
    reply: sessionStorage.getItem(draftKey(ticketId, "reply")) ?? "",
    note: sessionStorage.getItem(draftKey(ticketId, "note")) ?? "",
  }));
  const [files, setFiles] = useState<readonly File[]>([]);
  const [resolves, setResolves] = useState(false);
  const [keys] = useState(() => createIdempotencyKeys());
  const text = drafts[kind];
  const internal = kind === "note";
  const newest = newestOf(ticket);
  // The message that the writer had read when they began.
  const [readId, setReadId] = useState(newest?.id);

  function write(next: string) {
    setDrafts((before) => ({ ...before, [kind]: next }));
    if (text === "") setReadId(newest?.id);
    if (next === "") sessionStorage.removeItem(draftKey(ticketId, kind));
    else sessionStorage.setItem(draftKey(ticketId, kind), next);
  }

  const sending = useMutation({
    mutationFn: async ({ anyway = false }: { anyway?: boolean }) => {
      const resolve = resolves && !internal;
      const last = internal || readId === undefined ? {} : { last_message_id: readId };
      const body = { message: text, internal, resolve, anyway, ...last };
      const named = files.map(({ name, size, lastModified }) => [name, size, lastModified]);
      const { data } = await call(replyAsStaff, {
        params: { ticketId },
        body,
        uploads: files,
        headers: { "idempotency-key": keys.begin([body, named]) },
      });
      return data;
    },
    onSuccess: async ({ message, ticket_message }) => {
      keys.settle();
      write("");
      setFiles([]);
      setResolves(false);
      if (!internal) setReadId(ticket_message.id);
      toast("success", message);
      await refreshTicket(ticketId);
    },
    onError: async (error) => {
      if (hasCode(error, "ticket_changed")) {
        keys.settle();
        await refreshTicket(ticketId);
        // The message is on screen now: sent again, the answer is one to it.
        const now = queryClient.getQueryData(ticketQuery(ticketId).queryKey);
        if (now !== undefined) setReadId(newestOf(now)?.id);
      } else if (fieldIssues(error)["message"] === undefined) {
        toastError(error, t`Failed to send message`);
      }
    },
  });
  return {
    text,
    write,
    files,
    setFiles,
    resolves,
    setResolves,
    isPending: sending.isPending,
    /** Another message came in between. */
    isOutdated: hasCode(sending.error, "ticket_changed"),
    error: fieldIssues(sending.error)["message"],
    send: (how: { anyway?: boolean }) => {
      if (!sending.isPending) sending.mutate(how);
    },
  };
}
