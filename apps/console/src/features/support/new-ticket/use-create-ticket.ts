import { useLingui } from "@lingui/react/macro";
import {
  ticketRoutes,
  type TicketCategory,
  type TicketSeverity,
} from "@palisade/contract/http/tickets";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { fieldIssues } from "#src/api/errors.ts";
import { paths } from "#src/lib/paths.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { fileRefusals } from "../attachments/file-refusals.ts";
import { refreshTickets } from "../tickets.queries.ts";
import { useUpload } from "../use-upload.ts";
import { ticketDraft, type TicketValues } from "./new-ticket-draft.ts";

/** Opens the ticket and leads to it. On a failure everything that was typed and chosen stays. */
export function useCreateTicket(placeIssues: (issues: Record<string, string>) => boolean) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { upload, sentShare } = useUpload();
  const create = useMutation({
    mutationFn: ({ values, files }: { values: TicketValues; files: readonly File[] }) => {
      const body = bodyOf(values);
      return upload(body, files, ({ client, headers }) =>
        client(ticketRoutes.createTicket, { body, uploads: files, headers }),
      );
    },
    onSuccess: ({ data }) => {
      ticketDraft.clear();
      toast("success", data.message);
      void refreshTickets();
      void navigate({ to: paths.ticket, params: { ticketId: data.ticket.id } });
    },
    onError: (error) => {
      const isPlaced = placeIssues(fieldIssues(error)) || fileRefusals(error).length > 0;
      if (!isPlaced) toastError(error, t`Error creating ticket`);
    },
  });
  return {
    isPending: create.isPending,
    /** The draft is gone by then, and must not come back. */
    isDone: create.isSuccess,
    sentShare: create.isPending ? sentShare : undefined,
    refusals: fileRefusals(create.error),
    send: (values: TicketValues, files: readonly File[]) => {
      if (!create.isPending) create.mutate({ values, files });
    },
  };
}

/** The form offers the categories and severities of the contract only. */
function bodyOf(values: TicketValues) {
  const { category, severity, subject, message, server_id: serverId } = values;
  return {
    category: category as TicketCategory,
    severity: severity as TicketSeverity,
    subject,
    message,
    ...(serverId === ""
      ? {}
      : { server_id: serverId, with_snapshot: values.with_snapshot === "yes" }),
  };
}
