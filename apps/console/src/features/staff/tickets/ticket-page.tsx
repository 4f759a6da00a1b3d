import { useDocumentTitle } from "@mantine/hooks";
import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { StaffTicketDetail } from "@palisade/contract/http/staff-ticket-shapes";
import { IconArrowLeft, IconTicketOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useCurrentUser } from "#src/api/current-user.ts";
import { hasCode } from "#src/api/errors.ts";
import { useTicketChannel } from "#src/api/use-ticket-channel.ts";
import { paths } from "#src/lib/paths.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { severityLabels } from "#src/ui/ticket-labels.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { useStaffAddress } from "../use-staff-address.ts";
import { Composer, type Writing } from "./composer.tsx";
import { DueTime } from "./due-time.tsx";
import { statusLabels } from "./labels.ts";
import { MergeDialog } from "./merge-dialog.tsx";
import { PresenceLine } from "./presence-line.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { ticketSearch } from "./ticket-search.ts";
import { Thread } from "./thread.tsx";
import { TicketSide } from "./ticket-side.tsx";
import { changeTicket, refreshTicket, ticketQuery } from "./tickets.queries.ts";
import { useKeys } from "./use-keys.ts";
import { usePresence } from "./use-presence.ts";
import classes from "./ticket.module.css";
import queue from "./tickets.module.css";

const queueAddress = { to: paths.staffPage, params: { section: "tickets", id: undefined } };

export function TicketPage({ ticketId }: { ticketId: string }) {
  const { t } = useLingui();
  const query = useQuery(ticketQuery(ticketId));
  useDocumentTitle(`${query.data?.subject ?? t`Ticket`} · Palisade`);
  if (hasCode(query.error, "not_found") || hasCode(query.error, "validation_failed")) {
    return (
      <EmptyState
        icon={<IconTicketOff size={22} stroke={1.6} />}
        title={t`Ticket not found`}
        text={<Trans>There is no ticket with this address.</Trans>}
        action={
          <Button variant="default" renderRoot={(root) => <Link {...root} {...queueAddress} />}>
            <Trans>Back to the queue</Trans>
          </Button>
        }
      />
    );
  }
  return (
    <QueryBoundary query={query} errorTitle={t`Error fetching the ticket`}>
      {(ticket) => <OpenTicket ticket={ticket} />}
    </QueryBoundary>
  );
}

function OpenTicket({ ticket }: { ticket: StaffTicketDetail }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const me = useCurrentUser()?.id ?? null;
  const { search } = useStaffAddress(ticketSearch);
  const field = useRef<HTMLTextAreaElement>(null);
  const [kind, setKind] = useState<Writing>(search.write ?? "reply");
  const [isTyping, setTyping] = useState(false);
  const [dialog, setDialog] = useState<"keys" | "merge" | null>(null);
  const refresh = () => void refreshTicket(ticket.id);
  // Without the channel, the presence calls find out a few seconds later.
  useTicketChannel(ticket.id, { onSubscribed: refresh, onMessage: refresh, onStatus: refresh });
  const people = usePresence(ticket.id, isTyping, ticket.updated_at);
  const { ticket_number: number, merged_into: mergedInto } = ticket;
  const mergedNumber = mergedInto?.ticket_number;
  const mayWrite = ticket.status !== "closed";

  useEffect(() => {
    if (search.write !== undefined) field.current?.focus();
  }, [search.write]);

  const write = (next: Writing) => {
    setKind(next);
    field.current?.focus();
  };
  useKeys({
    KeyR: () => write("reply"),
    KeyN: () => write("note"),
    KeyU: () => void navigate(queueAddress),
    KeyA: () => {
      if (me === null || mergedInto !== null) return;
      changeTicket(ticket.id, { assignee_id: me }).then(
        (message) => toast("success", message),
        (error: unknown) => toastError(error, t`The ticket could not be assigned`),
      );
    },
    "?": () => setDialog("keys"),
  });

  return (
    <div className={queue["page"]}>
      <Link {...queueAddress} className={classes["back"]}>
        <IconArrowLeft size={15} stroke={1.6} aria-hidden="true" />
        <Trans>Tickets</Trans>
      </Link>
      <header className={classes["title"]}>
        <h1>{ticket.subject}</h1>
        <p className={classes["under"]}>
          <span>#{number}</span>
          <span className={queue["badge"]} data-status={ticket.status}>
            {i18n._(statusLabels[ticket.status])}
          </span>
          <span className={queue["severity"]} data-severity={ticket.severity}>
            {i18n._(severityLabels[ticket.severity])}
          </span>
          <DueTime dueAt={ticket.due_at} snoozedUntil={ticket.snoozed_until} />
        </p>
        <PresenceLine people={people} />
      </header>
      {mergedInto === null ? null : (
        <p className={classes["merged"]}>
          <Trans>
            This ticket goes on as{" "}
            <Link to={paths.staffPage} params={{ section: "tickets", id: mergedInto.id }}>
              #{mergedNumber}
            </Link>
            .
          </Trans>
        </p>
      )}
      <div className={classes["columns"]}>
        <Panel className={classes["conversation"]}>
          <Thread ticketId={ticket.id} messages={ticket.messages} />
          {mergedInto === null ? (
            <>
              {mayWrite || kind === "note" ? null : (
                <p className={classes["closed"]}>
                  <Trans>The ticket is closed. Change its status to write to the customer.</Trans>
                </p>
              )}
              <Composer
                ticket={ticket}
                kind={kind}
                onKind={setKind}
                onTyping={setTyping}
                field={field}
              />
            </>
          ) : null}
        </Panel>
        <TicketSide ticket={ticket} onMerge={() => setDialog("merge")} />
      </div>
      {dialog === "keys" ? <ShortcutsDialog onClose={() => setDialog(null)} /> : null}
      {dialog === "merge" ? <MergeDialog ticket={ticket} onClose={() => setDialog(null)} /> : null}
    </div>
  );
}
