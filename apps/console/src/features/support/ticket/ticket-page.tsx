import { Button, Skeleton } from "@mantine/core";
import { useDocumentTitle, useMediaQuery } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import type { TicketDetail } from "@palisade/contract/http/tickets";
import { IconArrowLeft, IconMessageOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { statusOf } from "#src/api/errors.ts";
import { paths } from "#src/lib/paths.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { Day } from "#src/ui/time.tsx";
import { StatusBadge } from "../status-badge.tsx";
import { ticketQuery } from "../tickets.queries.ts";
import { CloseDialog } from "./close-dialog.tsx";
import { ClosedBanner } from "./closed-banner.tsx";
import { LiveState } from "./live-state.tsx";
import { MessageThread } from "./message-thread.tsx";
import { ReplyBox } from "./reply-box.tsx";
import { Satisfaction } from "./satisfaction.tsx";
import { TicketDetails } from "./ticket-details.tsx";
import { useLiveTicket } from "./use-live-ticket.ts";
import support from "../support.module.css";
import classes from "./ticket.module.css";

/** No such ticket, another account's, or an address that names none. */
const notFound = new Set([404, 422]);

export function TicketPage() {
  const { t } = useLingui();
  const { ticketId } = useParams({ from: "/dashboard/support/ticket/$ticketId" });
  const query = useQuery(ticketQuery(ticketId));
  const ticket = query.data;
  useDocumentTitle(`${ticket?.subject ?? t`Ticket`} · Palisade`);
  if (ticket !== undefined && ticket.merged_into !== null) {
    return <Navigate to={paths.ticket} params={{ ticketId: ticket.merged_into }} replace />;
  }
  if (ticket !== undefined) return <Ticket key={ticketId} ticket={ticket} />;
  if (query.isPending) return <TicketSkeleton />;
  if (notFound.has(statusOf(query.error) ?? 0)) return <TicketNotFound />;
  return (
    <>
      <h1 className="visually-hidden">
        <Trans>Ticket</Trans>
      </h1>
      <Panel>
        <ErrorState
          error={query.error}
          title={t`Error fetching ticket`}
          onRetry={() => void query.refetch()}
        />
      </Panel>
    </>
  );
}

function Ticket({ ticket }: { ticket: TicketDetail }) {
  const isNarrow = useMediaQuery("(max-width: 1000px)", false, { getInitialValueInEffect: false });
  const [isClosing, setClosing] = useState(false);
  const channel = useLiveTicket(ticket.id);
  const isClosed = ticket.status === "closed";
  const facts = <TicketDetails ticket={ticket} folds={isNarrow} />;
  return (
    <>
      <Link to={paths.support} search={{}} className={support["back"]}>
        <IconArrowLeft size={15} stroke={1.8} aria-hidden="true" />
        <Trans>Support</Trans>
      </Link>
      <header className={classes["head"]}>
        <div>
          <h1>{ticket.subject}</h1>
          <p className={classes["opened"]}>
            <StatusBadge status={ticket.status} />
            <span>
              <Trans>
                Created <Day at={ticket.created_at} />
              </Trans>
            </span>
          </p>
        </div>
        {isClosed ? null : (
          <Button variant="default" onClick={() => setClosing(true)}>
            <Trans context="close a ticket">Close</Trans>
          </Button>
        )}
      </header>
      <div className={support["columns"]}>
        <div className={classes["talk"]}>
          {isNarrow ? facts : null}
          {isClosed ? (
            <>
              <ClosedBanner ticket={ticket} />
              <Satisfaction ticket={ticket} />
            </>
          ) : null}
          <LiveState channel={channel} />
          {isClosed ? null : <ReplyBox ticketId={ticket.id} channel={channel} />}
          <MessageThread ticket={ticket} />
        </div>
        {isNarrow ? null : facts}
      </div>
      {isClosing ? <CloseDialog ticketId={ticket.id} onClose={() => setClosing(false)} /> : null}
    </>
  );
}

function TicketNotFound() {
  const { t } = useLingui();
  return (
    <>
      <h1 className="visually-hidden">{t`Ticket not found`}</h1>
      <Panel>
        <EmptyState
          icon={<IconMessageOff size={22} stroke={1.6} />}
          title={t`Ticket not found`}
          text={<Trans>It belongs to another account, or the link is incomplete.</Trans>}
          action={
            <LinkButton to={paths.support} search={{}}>
              <Trans>Go Back</Trans>
            </LinkButton>
          }
        />
      </Panel>
    </>
  );
}

function TicketSkeleton() {
  return (
    <LoadingRegion className={classes["skeleton"]}>
      <h1 className="visually-hidden">
        <Trans>Ticket</Trans>
      </h1>
      <Skeleton height={28} width="60%" />
      <Skeleton height={120} radius={10} />
      <Skeleton height={90} radius={10} />
      <Skeleton height={90} radius={10} />
    </LoadingRegion>
  );
}
