import { Trans, useLingui } from "@lingui/react/macro";
import { useDocumentTitle } from "@mantine/hooks";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { paths } from "#src/lib/paths.ts";
import { PageHead } from "#src/ui/page-head.tsx";
import { TabLinks } from "#src/ui/tab-links.tsx";
import { BalancePanel } from "./balance-panel.tsx";
import classes from "./billing.module.css";
import { tabParameters, type BillingSearch } from "./billing-search.ts";
import { InvoicesPanel } from "./invoices/invoices-panel.tsx";
import { PaymentMethodPanel } from "./payment-method-panel.tsx";
import { ReturnPanel, type TopUp } from "./top-up-return/return-panel.tsx";
import { TransactionsPanel } from "./transactions/transactions-panel.tsx";

export function BillingPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const search = useSearch({ from: paths.billing });
  useDocumentTitle(`${t`Billing`} · Palisade`);

  // The panel with the result stays after the top-up is removed from the address.
  const [topUp, setTopUp] = useState<TopUp | null>(null);
  if (search.intent !== undefined && search.intent !== topUp?.id) {
    setTopUp({ id: search.intent, isCancelled: search.cancelled !== undefined });
  }
  const clearAddress = useCallback(
    () =>
      void navigate({
        from: paths.billing,
        to: paths.billing,
        search: (before) => ({ ...before, intent: undefined, cancelled: undefined }),
        replace: true,
      }),
    [navigate],
  );
  const show = (change: Partial<BillingSearch>, replace = false) =>
    void navigate({
      from: paths.billing,
      to: paths.billing,
      search: (before) => ({ ...before, page: undefined, ...change }),
      replace,
    });

  return (
    <>
      <PageHead title={<Trans>Billing</Trans>} />
      <div className={classes["page"]}>
        {topUp === null ? null : (
          <ReturnPanel
            key={topUp.id}
            topUp={topUp}
            onFinal={clearAddress}
            onDismiss={() => {
              setTopUp(null);
              clearAddress();
            }}
          />
        )}
        <div className={classes["top"]}>
          <BalancePanel />
          <PaymentMethodPanel />
        </div>
        <div>
          <TabLinks
            label={t`Transactions and invoices`}
            current={search.tab ?? "transactions"}
            tabs={[
              { name: "transactions", label: t`Transactions` },
              { name: "invoices", label: t`Invoices` },
            ]}
            ownParameters={tabParameters}
          />
          {search.tab === "invoices" ? (
            <InvoicesPanel search={search} onShow={show} />
          ) : (
            <TransactionsPanel search={search} onShow={show} />
          )}
        </div>
      </div>
    </>
  );
}
