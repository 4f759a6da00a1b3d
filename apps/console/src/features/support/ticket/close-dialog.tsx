import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { reopenDays, ticketRoutes } from "@palisade/contract/http/tickets";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "#src/api/client.ts";
import { paths } from "#src/lib/paths.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { changeTicket, refreshTicket, refreshTickets } from "../tickets.queries.ts";
import { mergeTickets } from "./merge-tickets.ts";

interface CloseDialogProps {
  readonly ticketId: string;
  readonly onClose: () => void;
}

/** Asks before the ticket is closed, which leads back to the list. */
export function CloseDialog({ ticketId, onClose }: CloseDialogProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const close = useMutation({
    mutationFn: () => call(ticketRoutes.closeTicket, { params: { id: ticketId } }),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      changeTicket(ticketId, (held) => mergeTickets(held, data.ticket));
      void refreshTickets();
      void navigate({ to: paths.support, search: {} });
    },
    onError: (error) => {
      toastError(error, t`Error closing ticket`);
      void refreshTicket(ticketId);
      onClose();
    },
  });
  return (
    <Dialog
      opened
      title={t`Close the ticket?`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton loading={close.isPending} onClick={() => close.mutate()}>
            <Trans>Close ticket</Trans>
          </ActionButton>
        </>
      }
    >
      <Trans>
        Close it when your question is answered. You can reopen it for {reopenDays} days.
      </Trans>
    </Dialog>
  );
}
