import { Trans, useLingui } from "@lingui/react/macro";
import type { TicketDetail } from "@palisade/contract/http/tickets";
import { IconChevronRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "#src/lib/paths.ts";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { categoryLabels, severityLabels } from "#src/ui/ticket-labels.ts";
import { Day, RelativeTime } from "#src/ui/time.tsx";
import { StatusBadge } from "../status-badge.tsx";
import { UsualAnswerText } from "../usual-answer-text.tsx";
import { Avatar } from "./avatar.tsx";
import { useNameOf } from "./use-name-of.ts";
import classes from "./ticket.module.css";

interface TicketDetailsProps {
  readonly ticket: TicketDetail;
  /** On narrow screens it stands above the conversation and is folded. */
  readonly folds: boolean;
}

export function TicketDetails({ ticket, folds }: TicketDetailsProps) {
  const number = ticket.ticket_number;
  const title = <Trans>Ticket details</Trans>;
  if (!folds) {
    return (
      <Panel title={title} className={classes["side"]}>
        <Facts ticket={ticket} />
      </Panel>
    );
  }
  return (
    <details className={classes["folded"]}>
      <summary>
        <IconChevronRight size={16} stroke={1.6} aria-hidden="true" />
        {title}
        <span className="mono">#{number}</span>
      </summary>
      <Facts ticket={ticket} />
    </details>
  );
}

function Facts({ ticket }: { ticket: TicketDetail }) {
  const { t, i18n } = useLingui();
  const nameOf = useNameOf();
  const number = String(ticket.ticket_number);
  const { server } = ticket;
  return (
    <dl className={classes["facts"]}>
      <Fact name={<Trans>Ticket number</Trans>}>
        <span className="mono">#{number}</span>
        <CopyButton value={number} label={t`Copy the number`} />
      </Fact>
      <Fact name={<Trans>Created</Trans>}>
        <Day at={ticket.created_at} />
      </Fact>
      <Fact name={<Trans>Updated</Trans>}>
        <RelativeTime at={ticket.updated_at} />
      </Fact>
      <Fact name={<Trans>Status</Trans>}>
        <StatusBadge status={ticket.status} />
      </Fact>
      <Fact name={<Trans>Category</Trans>}>{i18n._(categoryLabels[ticket.category])}</Fact>
      <Fact name={<Trans>Severity</Trans>}>{i18n._(severityLabels[ticket.severity])}</Fact>
      {ticket.response === null ? null : (
        <Fact name={<Trans>Answer</Trans>}>
          <UsualAnswerText answer={ticket.response} />
        </Fact>
      )}
      {server === null ? null : (
        <Fact name={<Trans>Game Shield</Trans>}>
          <Link to={paths.shield} params={{ shieldId: server.id, section: undefined }}>
            {server.name}
          </Link>
          {ticket.has_snapshot ? (
            <small className={classes["note"]}>
              <Trans>Settings and doctor report were sent along.</Trans>
            </small>
          ) : null}
        </Fact>
      )}
      <Fact name={<Trans>Created by</Trans>}>{nameOf({ ...ticket.user, is_admin: false })}</Fact>
      <Fact name={<Trans>Members</Trans>}>
        <ul className={classes["members"]}>
          {ticket.members.map((member, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- members have no id for others
            <li key={index}>
              <Avatar name={nameOf(member)} isAdmin={member.is_admin} />
              <span>{nameOf(member)}</span>
              {member.is_admin ? <span className={classes["staff"]}>STAFF</span> : null}
            </li>
          ))}
        </ul>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
