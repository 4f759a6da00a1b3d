import { Button } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import { listQuarantinedMails, type QuarantinedMail } from "@palisade/contract/http/staff-mails";
import { IconMailCheck } from "@tabler/icons-react";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { bytes } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { searchOf, wholeNumber } from "#src/lib/search-params.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { PagedList } from "#src/ui/paged-list.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import parts from "../parts/parts.module.css";
import { StaffRows, type StaffColumn } from "../parts/staff-rows.tsx";
import { useStaffAddress } from "../use-staff-address.ts";
import { reasonLabels } from "./labels.ts";
import { MailDialog } from "./mail-dialog.tsx";
import { SettleDialog, type Decision } from "./settle-dialog.tsx";

const mailsSearch = searchOf({ page: wholeNumber(1, 1_000_000) });
const rowsPerPage = 25;

const mailsQuery = (page: number | undefined) =>
  queryOptions({
    queryKey: ["staff", "mails", page ?? 1],
    queryFn: async ({ signal }) => {
      const query = { page: page ?? 1, per_page: rowsPerPage };
      return (await call(listQuarantinedMails, { query, signal })).data;
    },
    placeholderData: keepPreviousData,
  });

interface Opened {
  readonly mail: QuarantinedMail;
  readonly action: "look" | Decision;
}

/** Mails to tickets that were not added, because something about them was wrong. */
export function MailsPage() {
  const { t } = useLingui();
  useDocumentTitle(`${t`Mails`} · Palisade`);
  const { search, show } = useStaffAddress(mailsSearch);
  const query = useQuery(mailsQuery(search.page));
  const [opened, setOpened] = useState<Opened | null>(null);
  const columns = useColumns((mail) => setOpened({ mail, action: "look" }));
  const close = () => setOpened(null);
  return (
    <div className={parts["page"]}>
      <PageHead title={<Trans>Mails</Trans>} />
      <Panel
        title={<Trans>Quarantine</Trans>}
        prominent
        note={
          <Trans>
            These mails to tickets were not added, and their senders got no answer. They are deleted
            after 30 days.
          </Trans>
        }
      >
        <PagedList
          query={query}
          asked={search.page}
          errorTitle={t`The mails could not be loaded`}
          skeletonRows={4}
          onPage={(page, replace) => show({ page }, replace)}
          empty={
            <EmptyState
              compact
              icon={<IconMailCheck size={22} stroke={1.6} />}
              title={t`Nothing in quarantine`}
              text={<Trans>Every mail to a ticket was added or answered.</Trans>}
            />
          }
        >
          {(rows) => (
            <StaffRows
              label={t`Mails in quarantine`}
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
            />
          )}
        </PagedList>
      </Panel>
      {opened?.action === "look" ? (
        <MailDialog
          mail={opened.mail}
          onDecide={(action) => setOpened({ ...opened, action })}
          onClose={close}
        />
      ) : null}
      {opened !== null && opened.action !== "look" ? (
        <SettleDialog mail={opened.mail} decision={opened.action} onClose={close} />
      ) : null}
    </div>
  );
}

function useColumns(
  onOpen: (mail: QuarantinedMail) => void,
): readonly StaffColumn<QuarantinedMail>[] {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  return [
    {
      key: "mail",
      name: t`Mail`,
      bare: true,
      renderCell: ({ subject, from }) => (
        <>
          <span className={parts["main"]}>
            {subject === "" ? <Trans>Without subject</Trans> : subject}
          </span>
          <span className={parts["sub"]}>{from ?? <Trans>Unknown sender</Trans>}</span>
        </>
      ),
    },
    {
      key: "reason",
      name: t`Why`,
      renderCell: ({ reason }) => i18n._(reasonLabels[reason]),
    },
    {
      key: "ticket",
      name: t`Ticket`,
      renderCell: ({ ticket }) =>
        ticket === null ? (
          <Trans>None</Trans>
        ) : (
          <>
            <Link
              className={parts["main"]}
              to={paths.staffPage}
              params={{ section: "tickets", id: ticket.id }}
            >
              #{ticket.ticket_number} {ticket.subject}
            </Link>
            <span className={parts["sub"]}>{ticket.customer}</span>
          </>
        ),
    },
    {
      key: "size",
      name: t`Size`,
      right: true,
      renderCell: ({ size_bytes: size }) => bytes(locale, size),
    },
    {
      key: "received",
      name: t`Received`,
      right: true,
      renderCell: ({ received_at: at }) => <RelativeTime at={at} />,
    },
    {
      key: "actions",
      name: t`Actions`,
      right: true,
      bare: true,
      renderCell: (mail) => {
        const sender = mail.from ?? t`Unknown sender`;
        return (
          <span className={parts["buttons"]}>
            <Button
              size="xs"
              variant="default"
              aria-label={t`Look at the mail of ${sender}`}
              onClick={() => onOpen(mail)}
            >
              <Trans>Look</Trans>
            </Button>
          </span>
        );
      },
    },
  ];
}
