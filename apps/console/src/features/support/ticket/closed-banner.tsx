import { Trans, useLingui } from "@lingui/react/macro";
import { ticketRoutes, type TicketDetail } from "@palisade/contract/http/tickets";
import { IconLock } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { paths } from "#src/lib/paths.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { Day } from "#src/ui/time.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { changeTicket, refreshTicket, refreshTickets } from "../tickets.queries.ts";
import { mergeTickets } from "./merge-tickets.ts";

/** Says that the ticket takes no replies, and reopens it while that is possible. */
export function ClosedBanner({ ticket }: { ticket: TicketDetail }) {
  const { t } = useLingui();
  const { id, reopen_until: until } = ticket;
  const reopen = useMutation({
    mutationFn: () => call(ticketRoutes.reopenTicket, { params: { id } }),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      changeTicket(id, (held) => mergeTickets(held, data.ticket));
      void refreshTickets();
    },
    onError: (error) => {
      toastError(error, t`Error reopening ticket`);
      void refreshTicket(id);
    },
  });
  return (
    <Banner
      tone="neutral"
      stacks
      live="polite"
      icon={<IconLock size={17} stroke={1.6} />}
      aside={
        until === null ? (
          <LinkButton
            to={paths.support}
            search={{ new: ticket.category, subject: ticket.subject }}
            size="xs"
            variant="default"
          >
            <Trans>New ticket</Trans>
          </LinkButton>
        ) : (
          <ActionButton size="xs" loading={reopen.isPending} onClick={() => reopen.mutate()}>
            <Trans>Reopen</Trans>
          </ActionButton>
        )
      }
    >
      <strong>
        <Trans>Ticket closed!</Trans>
      </strong>{" "}
      {until === null ? (
        <Trans>It can no longer be reopened. Open a new ticket if you need more help.</Trans>
      ) : (
        <Trans>
          To reply, reopen it until <Day at={until} />.
        </Trans>
      )}
    </Banner>
  );
}
