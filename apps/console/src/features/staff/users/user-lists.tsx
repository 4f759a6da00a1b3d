import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { StaffLedgerEntry } from "@palisade/contract/http/staff-user-shapes";
import { IconCurrencyEuro, IconListSearch, IconNotes } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { signedEuros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { NoData } from "#src/ui/no-data.tsx";
import { PagedList } from "#src/ui/paged-list.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { useStaffRole } from "../use-staff-role.ts";
import { ledgerLabels } from "./labels.ts";
import { RefundDialog } from "./money-dialogs.tsx";
import { auditQuery, ledgerQuery, recordQuery } from "./users.queries.ts";
import classes from "./users.module.css";

interface UserListProps {
  readonly userId: string;
  readonly page: number | undefined;
  readonly onPage: (page: number | undefined, replace?: boolean) => void;
}

/** Entries that moved the account's money; top-ups can be refunded. */
export function UserLedger({ userId, page, onPage }: UserListProps) {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const mayRefund = useStaffRole("billing");
  const [refunding, refund] = useState<StaffLedgerEntry | null>(null);
  return (
    <Panel>
      <PagedList
        query={useQuery(ledgerQuery(userId, page))}
        asked={page}
        errorTitle={t`Error fetching transactions`}
        skeletonRows={6}
        onPage={onPage}
        empty={
          <NoData
            icon={<IconCurrencyEuro size={22} stroke={1.6} />}
            text={<Trans>Nothing has moved the money of this account.</Trans>}
            filteredText={null}
            onClear={undefined}
          />
        }
      >
        {(rows) => (
          <ul className={classes["lines"]} aria-label={t`Transactions`}>
            {rows.map((entry) => (
              <li key={entry.id}>
                <span>
                  {i18n._(ledgerLabels[entry.kind] ?? { id: entry.kind })}
                  <span className={classes["sub"]}>{entry.note ?? entry.business_key}</span>
                </span>
                {mayRefund && entry.intent_id !== null ? (
                  <Button size="compact-sm" variant="default" onClick={() => refund(entry)}>
                    <Trans>Refund</Trans>
                  </Button>
                ) : null}
                <span className={classes["amount"]}>
                  {signedEuros(locale, entry.cash_cents + entry.bonus_cents)}
                </span>
                <span className={classes["when"]}>
                  <RelativeTime at={entry.created_at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {refunding?.intent_id == null ? null : (
        <RefundDialog
          userId={userId}
          intentId={refunding.intent_id}
          cents={refunding.cash_cents}
          onClose={() => refund(null)}
        />
      )}
    </Panel>
  );
}

/** The owner's own audit log. */
export function UserAudit({ userId, page, onPage }: UserListProps) {
  const { t } = useLingui();
  return (
    <Panel>
      <PagedList
        query={useQuery(auditQuery(userId, page))}
        asked={page}
        errorTitle={t`Error fetching audit logs`}
        skeletonRows={6}
        onPage={onPage}
        empty={
          <NoData
            icon={<IconListSearch size={22} stroke={1.6} />}
            text={<Trans>No call of the last 90 days is on record.</Trans>}
            filteredText={null}
            onClear={undefined}
          />
        }
      >
        {(rows) => (
          <ul className={classes["lines"]} aria-label={t`Audit log`}>
            {rows.map((entry) => (
              <li key={entry.id}>
                <span>
                  <span className="mono">{`${entry.method} ${entry.full_url}`}</span>
                  <span className={classes["sub"]}>{`${entry.actor} · ${entry.ip}`}</span>
                </span>
                <span className={classes["amount"]}>{entry.response_status}</span>
                <span className={classes["when"]}>
                  <RelativeTime at={entry.created_at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Panel>
  );
}

/** Actions and looks of staff at the account, with their reasons. */
export function UserRecord({ userId, page, onPage }: UserListProps) {
  const { t } = useLingui();
  return (
    <Panel>
      <PagedList
        query={useQuery(recordQuery(userId, page))}
        asked={page}
        errorTitle={t`Error fetching the record`}
        skeletonRows={6}
        onPage={onPage}
        empty={
          <NoData
            icon={<IconNotes size={22} stroke={1.6} />}
            text={<Trans>No staff member has opened or changed this account.</Trans>}
            filteredText={null}
            onClear={undefined}
          />
        }
      >
        {(rows) => (
          <ul className={classes["lines"]} aria-label={t`Staff record`}>
            {rows.map((entry) => (
              <li key={entry.id}>
                <span>
                  {entry.staff ?? t`Deleted account`}
                  <span className={classes["sub"]}>{entry.reason}</span>
                </span>
                <span className={`mono ${classes["plan"]}`}>{entry.route}</span>
                <span className={classes["when"]}>
                  <RelativeTime at={entry.created_at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Panel>
  );
}
