import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { PricingPlan } from "@palisade/contract/http/plans";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { IconCheck } from "@tabler/icons-react";
import { plansQuery } from "#src/api/plans.ts";
import { euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Dialog } from "#src/ui/dialog.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { DiscordLink, useDiscordInvite, useOperatorContact } from "./operator.queries.tsx";
import classes from "./upgrade.module.css";

interface UpgradeDialogProps {
  readonly shield: Server;
  readonly has: (includes: PricingPlan["includes"]) => boolean;
  readonly onClose: () => void;
}

/** The plans that include the missing feature, and how to change the plan. */
export function UpgradeDialog({ shield, has, onClose }: UpgradeDialogProps) {
  const { t } = useLingui();
  const query = useQuery(plansQuery);
  return (
    <Dialog
      opened
      wide
      title={t`Upgrade plan`}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      {query.data ? (
        <Plans
          current={shield.pricing_plan.name}
          plans={query.data.filter(
            ({ id, includes }) => id !== shield.pricing_plan.id && has(includes),
          )}
        />
      ) : query.isPending ? (
        <LoadingRegion className={classes["plans"]}>
          <Skeleton height={92} radius={8} />
          <Skeleton height={92} radius={8} />
        </LoadingRegion>
      ) : (
        <ErrorState
          compact
          error={query.error}
          title={t`Failed to fetch plans`}
          onRetry={() => void query.refetch()}
        />
      )}
      <Contact serverName={shield.server_name} />
    </Dialog>
  );
}

function Plans({ current, plans }: { current: string; plans: readonly PricingPlan[] }) {
  if (plans.length === 0) {
    return (
      <p>
        <Trans>No plan on offer has more than {current}.</Trans>
      </p>
    );
  }
  return (
    <>
      <p>
        <Trans>Your plan is {current}. Prices per month, excluding tax.</Trans>
      </p>
      <ul className={classes["plans"]}>
        {plans.map((plan) => (
          <Plan key={plan.id} plan={plan} />
        ))}
      </ul>
    </>
  );
}

function Plan({ plan }: { plan: PricingPlan }) {
  const { locale } = useLocale();
  return (
    <li className={classes["plan"]}>
      <strong>{plan.name}</strong>
      <span className={classes["price"]}>
        {euros(locale, plan.price_cents)}{" "}
        <small>
          <Trans>/ month</Trans>
        </small>
      </span>
      <span className={classes["description"]}>{plan.description}</span>
      <ul className={classes["features"]}>
        {plan.features.map(({ feature_name: feature }) => (
          <li key={feature}>
            <IconCheck size={14} stroke={1.8} aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
    </li>
  );
}

/** How to change the plan: by asking the operator. */
function Contact({ serverName }: { serverName: string }) {
  const contact = useOperatorContact();
  const invite = useDiscordInvite();
  const discord = invite === null ? null : <DiscordLink invite={invite} />;
  return (
    <div className={classes["contact"]}>
      <p>
        {contact === null ? (
          <Trans>The plan cannot be changed here yet.</Trans>
        ) : (
          <Trans>
            To change the plan, write to {contact}. Name the server {serverName} and the plan you
            want.
          </Trans>
        )}
      </p>
      {discord === null ? null : (
        <p>
          <Trans>
            Have you just bought your old plan? Contact us via {discord} to pay only the difference.
          </Trans>
        </p>
      )}
    </div>
  );
}
