import { Button } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  freezePurchases,
  listQuarantine,
  readPurchases,
  resolveQuarantine,
  type QuarantinedPayment,
} from "@palisade/contract/http/staff-books";
import { IconCircleCheck, IconSnowflake } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { euros } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { Day, RelativeTime } from "#src/ui/time.tsx";
import parts from "../parts/parts.module.css";
import { StaffRows, type StaffColumn } from "../parts/staff-rows.tsx";
import { useMay } from "../parts/use-may.ts";
import { FreezeDialog, ResolveDialog } from "./payment-dialogs.tsx";

const quarantineQuery = queryOptions({
  queryKey: ["staff", "quarantine"],
  queryFn: async ({ signal }) => (await call(listQuarantine, { signal })).data,
});
const purchasesQuery = queryOptions({
  queryKey: ["staff", "purchases"],
  queryFn: async ({ signal }) => (await call(readPurchases, { signal })).data,
});

type Opened = "freeze" | "open" | QuarantinedPayment;

/** Money that matches no order, and whether customers can buy. */
export function PaymentsPage() {
  const { t } = useLingui();
  useDocumentTitle(`${t`Payments`} · Palisade`);
  const [opened, setOpened] = useState<Opened | null>(null);
  const quarantine = useQuery(quarantineQuery);
  const columns = useColumns(setOpened);
  const close = () => setOpened(null);
  return (
    <div className={parts["page"]}>
      <PageHead title={<Trans>Payments</Trans>} />
      <PurchasesPanel onChange={setOpened} />
      <Panel
        title={<Trans>Quarantine</Trans>}
        prominent
        note={
          <Trans>
            Payments, refunds and disputes that match no order. Nothing of them was credited.
          </Trans>
        }
      >
        <QueryBoundary query={quarantine} errorTitle={t`The quarantine could not be loaded`}>
          {({ cases }) =>
            cases.length === 0 ? (
              <EmptyState
                compact
                icon={<IconCircleCheck size={22} stroke={1.6} />}
                title={t`Nothing in quarantine`}
                text={<Trans>Every payment of the providers matches an order.</Trans>}
              />
            ) : (
              <StaffRows
                label={t`Quarantine`}
                columns={columns}
                rows={cases}
                keyOf={({ id }) => id}
              />
            )
          }
        </QueryBoundary>
      </Panel>
      {opened === "freeze" || opened === "open" ? (
        <FreezeDialog isFrozen={opened === "open"} onClose={close} />
      ) : null}
      {opened !== null && typeof opened === "object" ? (
        <ResolveDialog
          found={opened}
          fourEyesCents={quarantine.data?.four_eyes_cents ?? 0}
          onClose={close}
        />
      ) : null}
    </div>
  );
}

function PurchasesPanel({ onChange }: { onChange: (opened: Opened) => void }) {
  const { t } = useLingui();
  const query = useQuery(purchasesQuery);
  const may = useMay();
  return (
    <Panel
      title={<Trans>Purchases</Trans>}
      prominent
      note={
        <Trans>
          While they are frozen, customers cannot buy or upgrade. Protection, renewals and top-ups
          go on.
        </Trans>
      }
    >
      <QueryBoundary
        compact
        query={query}
        errorTitle={t`The state of purchases could not be loaded`}
      >
        {({ freeze }) => {
          const button = may(freezePurchases) ? (
            <Button
              size="xs"
              variant="default"
              onClick={() => onChange(freeze === null ? "freeze" : "open")}
            >
              {freeze === null ? <Trans>Freeze purchases</Trans> : <Trans>Open purchases</Trans>}
            </Button>
          ) : undefined;
          return freeze === null ? (
            <Banner
              tone="protected"
              stacks
              icon={<IconCircleCheck size={18} stroke={1.6} />}
              aside={button}
            >
              <Trans>Purchases are open.</Trans>
            </Banner>
          ) : (
            <Banner
              tone="danger"
              stacks
              icon={<IconSnowflake size={18} stroke={1.6} />}
              aside={button}
            >
              <strong>
                <Trans>
                  Purchases are frozen since <Day at={freeze.since} />
                </Trans>
              </strong>
              <p className={parts["reason"]}>{freeze.reason}</p>
            </Banner>
          );
        }}
      </QueryBoundary>
    </Panel>
  );
}

function useColumns(
  onResolve: (found: QuarantinedPayment) => void,
): readonly StaffColumn<QuarantinedPayment>[] {
  const { t } = useLingui();
  const { locale } = useLocale();
  const may = useMay();
  return [
    {
      key: "what",
      name: t`Payment`,
      bare: true,
      renderCell: ({ provider, reference, reason }) => (
        <>
          <span className={parts["main"]}>{reason}</span>
          <span className={`${parts["sub"]} mono`}>
            {provider} {reference}
          </span>
        </>
      ),
    },
    {
      key: "account",
      name: t`Account`,
      renderCell: ({ user_id: userId, email }) =>
        userId === null ? (
          <Trans>Unknown</Trans>
        ) : (
          <Link
            className={parts["main"]}
            to={paths.staffPage}
            params={{ section: "users", id: userId }}
          >
            {email}
          </Link>
        ),
    },
    {
      key: "amount",
      name: t`Amount`,
      right: true,
      renderCell: ({ amount_cents: cents, currency }) =>
        currency === "EUR" ? euros(locale, cents) : `${(cents / 100).toFixed(2)} ${currency}`,
    },
    {
      key: "found",
      name: t`Found`,
      right: true,
      renderCell: ({ found_at: at }) => <RelativeTime at={at} />,
    },
    {
      key: "actions",
      name: t`Actions`,
      right: true,
      bare: true,
      renderCell: (row) =>
        may(resolveQuarantine) ? (
          <span className={parts["buttons"]}>
            <Button
              size="xs"
              variant="default"
              aria-label={t`Settle ${row.reference}`}
              onClick={() => onResolve(row)}
            >
              <Trans>Settle</Trans>
            </Button>
          </span>
        ) : null,
    },
  ];
}
