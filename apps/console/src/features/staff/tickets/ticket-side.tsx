import "@mantine/core/styles/Pill.css";
import "@mantine/core/styles/PillsInput.css";
import { Button, NativeSelect, TagsInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { StaffTicketDetail } from "@palisade/contract/http/staff-ticket-shapes";
import {
  cleanTag,
  tagCharactersMax,
  tagPattern,
  tagsMax,
} from "@palisade/contract/http/ticket-tags";
import {
  ticketCategories,
  ticketSeverities,
  ticketStatuses,
} from "@palisade/contract/http/tickets";
import { IconChevronRight } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { absoluteTime, euros } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { shieldStatusLabels } from "#src/ui/shield-status.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { ScrollRegion } from "#src/ui/scroll-region.tsx";
import { categoryLabels, severityLabels } from "#src/ui/ticket-labels.ts";
import { Day } from "#src/ui/time.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { statusLabels } from "./labels.ts";
import { SnoozeSelect } from "./snooze-select.tsx";
import { changeTicket } from "./tickets.queries.ts";
import classes from "./ticket.module.css";

interface TicketSideProps {
  readonly ticket: StaffTicketDetail;
  readonly onMerge: () => void;
}

type Change = Parameters<typeof changeTicket>[1];

/** How the ticket is sorted, and who its customer is. */
export function TicketSide({ ticket, onMerge }: TicketSideProps) {
  const { t } = useLingui();
  return (
    <div className={classes["side"]}>
      <Properties ticket={ticket} onMerge={onMerge} />
      <Customer ticket={ticket} />
      {ticket.snapshot === null ? null : (
        <Panel>
          <details className={classes["snapshot"]}>
            <summary>
              <IconChevronRight size={15} stroke={1.6} aria-hidden="true" />
              <Trans>Settings and doctor report at opening</Trans>
            </summary>
            <ScrollRegion
              className={classes["report"]}
              label={t`Settings and doctor report at opening`}
            >
              <pre>{ticket.snapshot}</pre>
            </ScrollRegion>
          </details>
        </Panel>
      )}
    </div>
  );
}

function Properties({ ticket, onMerge }: TicketSideProps) {
  const { t, i18n } = useLingui();
  const change = useMutation({
    mutationFn: (body: Change) => changeTicket(ticket.id, body),
    onError: (error) => toastError(error, t`The ticket could not be changed`),
  });
  const isMerged = ticket.merged_into !== null;
  const size = { size: "xs", disabled: isMerged } as const;
  return (
    <Panel title={<Trans>Ticket</Trans>}>
      <div className={classes["properties"]}>
        <NativeSelect
          {...size}
          label={t`Assigned to`}
          value={ticket.assignee?.id ?? ""}
          data={[
            { value: "", label: t`No one` },
            ...ticket.colleagues.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            change.mutate({ assignee_id: value === "" ? null : value })
          }
        />
        <NativeSelect
          {...size}
          label={t`Status`}
          value={ticket.status}
          data={ticketStatuses.map((value) => ({ value, label: i18n._(statusLabels[value]) }))}
          onChange={({ currentTarget: { value } }) => {
            const status = ticketStatuses.find((each) => each === value);
            if (status !== undefined) change.mutate({ status });
          }}
        />
        <NativeSelect
          {...size}
          label={t`Severity`}
          value={ticket.severity}
          data={ticketSeverities.map((value) => ({ value, label: i18n._(severityLabels[value]) }))}
          onChange={({ currentTarget: { value } }) => {
            const severity = ticketSeverities.find((each) => each === value);
            if (severity !== undefined) change.mutate({ severity });
          }}
        />
        <NativeSelect
          {...size}
          label={t`Category`}
          value={ticket.category}
          data={ticketCategories.map((value) => ({ value, label: i18n._(categoryLabels[value]) }))}
          onChange={({ currentTarget: { value } }) => {
            const category = ticketCategories.find((each) => each === value);
            if (category !== undefined) change.mutate({ category });
          }}
        />
        <TagsInput
          {...size}
          label={t`Tags`}
          placeholder={ticket.tags.length === 0 ? t`Add a tag` : ""}
          maxTags={tagsMax}
          maxLength={tagCharactersMax}
          value={ticket.tags}
          onChange={(tags) => {
            const clean = [...new Set(tags.map(cleanTag))].filter((tag) => tagPattern.test(tag));
            change.mutate({ tags: clean });
          }}
        />
        <SnoozeSelect
          {...size}
          until={ticket.snoozed_until}
          onSnooze={(until) => change.mutate({ snoozed_until: until })}
        />
        {isMerged ? null : (
          <Button size="xs" variant="default" onClick={onMerge}>
            <Trans>Merge into another ticket…</Trans>
          </Button>
        )}
      </div>
    </Panel>
  );
}

function Customer({ ticket }: { ticket: StaffTicketDetail }) {
  const { i18n } = useLingui();
  const { locale } = useLocale();
  const { customer, card, satisfaction, answered_at: answeredAt } = ticket;
  const score = satisfaction?.score;
  return (
    <Panel title={<Trans>Customer</Trans>}>
      <p className={classes["customer"]}>
        <Link to={paths.staffPage} params={{ section: "users", id: customer.id }}>
          {customer.email}
        </Link>
        {customer.first_name === null ? null : <span>{customer.first_name}</span>}
      </p>
      <dl className={classes["facts"]}>
        <dt>
          <Trans>Support plan</Trans>
        </dt>
        <dd>{ticket.support_plan}</dd>
        <dt>
          <Trans>Language</Trans>
        </dt>
        <dd>{card.locale.toUpperCase()}</dd>
        {card.balance_cents === null ? null : (
          <>
            <dt>
              <Trans>Balance</Trans>
            </dt>
            <dd>{euros(locale, card.balance_cents)}</dd>
          </>
        )}
        <dt>
          <Trans>Customer since</Trans>
        </dt>
        <dd>
          <Day at={card.registered_at} />
        </dd>
        {answeredAt === null ? null : (
          <>
            <dt>
              <Trans>First answer</Trans>
            </dt>
            <dd>{absoluteTime(locale, new Date(answeredAt))}</dd>
          </>
        )}
        {score === undefined ? null : (
          <>
            <dt>
              <Trans>Satisfaction</Trans>
            </dt>
            <dd>
              <Trans>{score} of 5</Trans> {satisfaction?.comment}
            </dd>
          </>
        )}
      </dl>
      {card.shields.length === 0 ? null : (
        <>
          <h3>
            <Trans>Shields</Trans>
          </h3>
          <ul className={classes["lines"]}>
            {card.shields.map(({ id, name, status, plan }) => (
              <li key={id} data-about={id === ticket.server?.id || undefined}>
                <span>{name}</span>
                <span>{`${plan} · ${i18n._(shieldStatusLabels[status])}`}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {ticket.other_tickets.length === 0 ? null : (
        <>
          <h3>
            <Trans>Other tickets</Trans>
          </h3>
          <ul className={classes["lines"]}>
            {ticket.other_tickets.map(({ id, ticket_number: number, subject, status }) => (
              <li key={id}>
                <Link to={paths.staffPage} params={{ section: "tickets", id }}>
                  {`#${number} ${subject}`}
                </Link>
                <span>{i18n._(statusLabels[status])}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
