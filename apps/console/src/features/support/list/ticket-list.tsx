import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Ticket } from "@palisade/contract/http/tickets";
import { IconMessages } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { PagedList } from "#src/ui/paged-list.tsx";
import { severityLabels } from "#src/ui/ticket-labels.ts";
import { Day, RelativeTime } from "#src/ui/time.tsx";
import { StatusBadge } from "../status-badge.tsx";
import type { SupportSearch } from "../support-search.ts";
import { ticketsQuery } from "../tickets.queries.ts";
import classes from "../support.module.css";

interface TicketListProps {
  readonly search: SupportSearch;
  readonly onShow: (change: Partial<SupportSearch>, replace?: boolean) => void;
}

export function TicketList({ search, onShow }: TicketListProps) {
  const { t } = useLingui();
  const query = useQuery(ticketsQuery(search));
  const isFiltered = search.status !== undefined || search.category !== undefined;
  return (
    <PagedList
      query={query}
      asked={search.page}
      errorTitle={t`Error fetching tickets`}
      skeletonRows={5}
      onPage={(page, replace) => onShow({ page }, replace)}
      empty={
        <NoTickets
          onClear={
            isFiltered ? () => onShow({ status: undefined, category: undefined }) : undefined
          }
        />
      }
    >
      {(tickets) => (
        <ul className={classes["tickets"]} aria-label={t`My tickets`}>
          {tickets.map((ticket) => (
            <li key={ticket.id}>
              <TicketRow ticket={ticket} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function TicketRow({ ticket }: { ticket: Ticket }) {
  const { i18n } = useLingui();
  const { ticket_number: number, severity } = ticket;
  return (
    <Link to={paths.ticket} params={{ ticketId: ticket.id }} className={classes["ticket"]}>
      <span className={classes["subject"]}>{ticket.subject}</span>
      <span className={classes["badgePlace"]}>
        <StatusBadge status={ticket.status} />
      </span>
      <span className={classes["facts"]}>
        <span className="mono">#{number}</span>
        <span className={classes["severity"]} data-severity={severity}>
          {i18n._(severityLabels[severity])}
        </span>
        <span>
          <Trans>
            Updated <RelativeTime at={ticket.updated_at} />
          </Trans>
        </span>
        <span>
          <Trans>
            Created <Day at={ticket.created_at} />
          </Trans>
        </span>
      </span>
    </Link>
  );
}

function NoTickets({ onClear }: { onClear: (() => void) | undefined }) {
  const { t } = useLingui();
  return (
    <EmptyState
      compact
      icon={<IconMessages size={22} stroke={1.6} />}
      title={t`No tickets found`}
      text={
        onClear ? (
          <Trans>No ticket matches these filters.</Trans>
        ) : (
          <Trans>Ask us anything about your servers, your bill or a plan.</Trans>
        )
      }
      action={
        onClear ? (
          <Button variant="default" onClick={onClear}>
            <Trans>Clear filters</Trans>
          </Button>
        ) : (
          <LinkButton to={paths.support} search={{ new: "any" }} variant="default">
            <Trans>New ticket</Trans>
          </LinkButton>
        )
      }
    />
  );
}
