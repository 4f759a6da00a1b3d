import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { CardList } from "@palisade/contract/http/payment-methods";
import { IconCreditCard, IconCreditCardOff, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { openModal } from "#src/lib/modals.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { cardsQuery } from "../billing.queries.ts";
import { SandboxBadge } from "../sandbox-badge.tsx";
import { CardList as Cards } from "./card-list.tsx";
import classes from "./cards.module.css";

/** The cards that renewals and automatic top-ups may charge. */
export function CardsPanel() {
  const { t } = useLingui();
  const query = useQuery(cardsQuery);
  const hasCards = query.data !== undefined && query.data.cards.length > 0;
  return (
    <Panel
      prominent
      title={
        <span className={classes["title"]}>
          {t`Payment methods`}
          {query.data?.mode === "sandbox" ? <SandboxBadge /> : null}
        </span>
      }
      {...(hasCards && {
        note: t`Renewals and automatic top-ups charge the default card`,
        aside: <AddButton />,
      })}
    >
      <QueryBoundary
        compact
        query={query}
        errorTitle={t`Error fetching payment methods`}
        skeleton={
          <>
            <Skeleton height={44} radius={8} />
            <Skeleton height={44} radius={8} />
          </>
        }
      >
        {(list) => <Content list={list} />}
      </QueryBoundary>
    </Panel>
  );
}

function AddButton() {
  return (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} stroke={1.8} />}
      onClick={() => openModal("add payment method")}
    >
      <Trans>Add payment method</Trans>
    </Button>
  );
}

function Content({ list }: { list: CardList }) {
  const { t } = useLingui();
  if (list.cards.length > 0) return <Cards cards={list.cards} />;
  if (list.mode === "unavailable") {
    return (
      <EmptyState
        compact
        icon={<IconCreditCardOff size={22} stroke={1.6} />}
        title={t`No card saved`}
        text={t`No card provider is set up on this installation, so cards cannot be saved. Plans are paid from your balance.`}
        action={
          <Button variant="default" onClick={() => openModal("add payment method")}>
            <Trans>Add payment method</Trans>
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      compact
      icon={<IconCreditCard size={22} stroke={1.6} />}
      title={t`No card saved`}
      text={t`A saved card pays renewals before they are due and tops up your balance when it runs low.`}
      action={<AddButton />}
    />
  );
}
