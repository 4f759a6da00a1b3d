import { useLingui } from "@lingui/react/macro";
import { mergeMessages } from "@palisade/contract/http/live-client";
import { ticketRoutes } from "@palisade/contract/http/tickets";
import { useMutation } from "@tanstack/react-query";
import { hasCode } from "#src/api/errors.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { fileRefusals } from "../attachments/file-refusals.ts";
import { changeTicket, refreshTicket, refreshTickets } from "../tickets.queries.ts";
import { useUpload } from "../use-upload.ts";

interface Reply {
  readonly message: string;
  readonly files: readonly File[];
  /** Not of the component: it may be gone when the answer comes. */
  readonly onSent: () => void;
}

export function useReply(ticketId: string) {
  const { t } = useLingui();
  const { upload, sentShare } = useUpload();
  const reply = useMutation({
    mutationFn: ({ message, files }: Reply) => {
      const body = { message };
      return upload(body, files, ({ client, headers }) =>
        client(ticketRoutes.replyToTicket, {
          params: { id: ticketId },
          body,
          uploads: files,
          headers,
        }),
      );
    },
    onSuccess: ({ data }, { onSent }) => {
      toast("success", data.message);
      changeTicket(ticketId, (held) => ({
        ...held,
        messages: mergeMessages(held.messages, [data.ticket_message]),
      }));
      onSent();
      // The status changes with a reply.
      void refreshTicket(ticketId);
      void refreshTickets();
    },
    onError: (error) => {
      if (hasCode(error, "ticket_closed")) void refreshTicket(ticketId);
      if (fileRefusals(error).length === 0) toastError(error, t`Error sending message`);
    },
  });
  return {
    isPending: reply.isPending,
    sentShare: reply.isPending ? sentShare : undefined,
    refusals: fileRefusals(reply.error),
    send: (written: Reply) => reply.mutate(written),
  };
}
