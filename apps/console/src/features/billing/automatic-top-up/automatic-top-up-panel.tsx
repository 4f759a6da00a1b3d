import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { AutomaticTopUp } from "@palisade/contract/http/automatic-payments";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { openModal } from "#src/lib/modals.ts";
import { Banner } from "#src/ui/banner.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { Status } from "#src/ui/status.tsx";
import { automaticTopUpQuery, cardsQuery } from "../billing.queries.ts";
import classes from "./automatic-top-up.module.css";
import { SettingsForm } from "./settings-form.tsx";

/** Tops the balance up from the default card when it runs low. */
export function AutomaticTopUpPanel() {
  const { t } = useLingui();
  const settings = useQuery(automaticTopUpQuery);
  return (
    <Panel
      prominent
      title={t`Automatic top-up`}
      note={t`Charges your default card when the balance falls below your limit, at most once a day`}
      aside={settings.data === undefined ? null : <State enabled={settings.data.enabled} />}
    >
      <QueryBoundary
        compact
        query={settings}
        errorTitle={t`Error fetching the automatic top-up`}
        skeleton={<Skeleton height={52} radius={8} />}
      >
        {(stored) => <Content stored={stored} />}
      </QueryBoundary>
    </Panel>
  );
}

function State({ enabled }: { enabled: boolean }) {
  return enabled ? (
    <Status tone="protected">
      <Trans>On</Trans>
    </Status>
  ) : (
    <Status tone="idle">
      <Trans>Off</Trans>
    </Status>
  );
}

function Content({ stored }: { stored: AutomaticTopUp }) {
  const cards = useQuery(cardsQuery).data;
  const hasCard = cards === undefined || cards.cards.length > 0;
  // Without a card it can still be switched off.
  if (!hasCard && !stored.enabled) return <NeedsCard isPossible={cards.mode !== "unavailable"} />;
  const [card] = cards?.cards ?? [];
  return (
    <>
      {hasCard ? null : (
        <div className={classes["warning"]}>
          <Banner tone="attack" icon={<IconAlertTriangle size={18} stroke={1.6} />}>
            <Trans>
              No card is saved, so nothing is topped up. Add a payment method, or switch it off.
            </Trans>
          </Banner>
        </div>
      )}
      <SettingsForm stored={stored} card={card} />
    </>
  );
}

function NeedsCard({ isPossible }: { isPossible: boolean }) {
  if (!isPossible) {
    return (
      <p className={classes["hint"]}>
        <Trans>It needs a saved card, and no card provider is set up on this installation.</Trans>
      </p>
    );
  }
  return (
    <div className={classes["needed"]}>
      <p className={classes["hint"]}>
        <Trans>It needs a saved card.</Trans>
      </p>
      <Button variant="default" size="xs" onClick={() => openModal("add payment method")}>
        <Trans>Add a card</Trans>
      </Button>
    </div>
  );
}
