import { Trans, useLingui } from "@lingui/react/macro";
import { useDocumentTitle } from "@mantine/hooks";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import { PageHead } from "#src/ui/page-head.tsx";
import { TabLinks } from "#src/ui/tab-links.tsx";
import { AutomaticTopUpPanel } from "./automatic-top-up/automatic-top-up-panel.tsx";
import { BalancePanel } from "./balance-panel.tsx";
import classes from "./billing.module.css";
import { tabParameters, type BillingSearch } from "./billing-search.ts";
import { CardReturn } from "./cards/card-return.tsx";
import { CardsPanel } from "./cards/cards-panel.tsx";
import { LowBalanceBanner } from "./forecast/low-balance-banner.tsx";
import { RenewalsPanel } from "./forecast/renewals-panel.tsx";
import { InvoicesPanel } from "./invoices/invoices-panel.tsx";
import { ReturnPanel } from "./top-up-return/return-panel.tsx";
import { TransactionsPanel } from "./transactions/transactions-panel.tsx";
import { useProviderReturn } from "./use-provider-return.ts";

export function BillingPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const search = useSearch({ from: paths.billing });
  useDocumentTitle(`${t`Billing`} · Palisade`);

  const { returned, clearAddress, dismiss } = useProviderReturn(search);
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
        {returned?.from === "top-up" ? (
          <ReturnPanel
            key={returned.id}
            topUp={returned}
            onFinal={clearAddress}
            onDismiss={dismiss}
          />
        ) : null}
        {returned?.from === "card" ? (
          <CardReturn
            key={returned.id}
            setup={returned}
            onFinal={clearAddress}
            onDismiss={dismiss}
          />
        ) : null}
        <LowBalanceBanner />
        <div className={classes["top"]}>
          <div className={classes["column"]}>
            <BalancePanel />
            <RenewalsPanel />
          </div>
          <div className={classes["column"]}>
            <CardsPanel />
            <AutomaticTopUpPanel />
          </div>
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
