import { Checkbox } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { StaffTicket } from "@palisade/contract/http/staff-ticket-shapes";
import { Link } from "@tanstack/react-router";
import { severityLabels } from "#src/ui/ticket-labels.ts";
import { paths } from "#src/lib/paths.ts";
import { RelativeTime } from "#src/ui/time.tsx";
import { DueTime } from "./due-time.tsx";
import { statusLabels } from "./labels.ts";
import classes from "./tickets.module.css";

interface QueueRowProps {
  readonly ticket: StaffTicket;
  readonly isCurrent: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

export function QueueRow({ ticket, isCurrent, isChosen, onChoose }: QueueRowProps) {
  const { t, i18n } = useLingui();
  const { subject, ticket_number: number, customer } = ticket;
  return (
    <li
      className={classes["row"]}
      data-current={isCurrent || undefined}
      ref={isCurrent ? scrollIntoView : undefined}
    >
      <Checkbox
        aria-label={t`Choose #${number}`}
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <Link
        to={paths.staffPage}
        params={{ section: "tickets", id: ticket.id }}
        className={classes["link"]}
        aria-current={isCurrent || undefined}
      >
        <span className={classes["subject"]}>
          <span className={classes["severity"]} data-severity={ticket.severity}>
            {i18n._(severityLabels[ticket.severity])}
          </span>
          {subject}
        </span>
        <span className={classes["facts"]}>
          <span className={classes["number"]}>#{number}</span>
          <span>{customer.email}</span>
          <span>{ticket.support_plan}</span>
          {ticket.tags.map((tag) => (
            <span key={tag} className={classes["tag"]}>
              {tag}
            </span>
          ))}
        </span>
        <span className={classes["state"]}>
          <span className={classes["badge"]} data-status={ticket.status}>
            {i18n._(statusLabels[ticket.status])}
          </span>
          <span className={classes["assignee"]}>
            {ticket.assignee === null ? <Trans>Unassigned</Trans> : ticket.assignee.name}
          </span>
        </span>
        <span className={classes["times"]}>
          <DueTime dueAt={ticket.due_at} snoozedUntil={ticket.snoozed_until} />
          <span className={classes["updated"]}>
            <RelativeTime at={ticket.updated_at} />
          </span>
        </span>
      </Link>
    </li>
  );
}
