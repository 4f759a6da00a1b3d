import { Button } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import type { Server, ServerOverview } from "@palisade/contract/http/servers";
import { IconChartBarOff, IconClockExclamation, IconWallet } from "@tabler/icons-react";
import { wholeEuros } from "#src/lib/whole-euros.ts";
import { absoluteTime, euros } from "#src/lib/format.ts";
import { openModal } from "#src/lib/modals.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { useNow } from "#src/lib/use-now.ts";
import { Banner } from "#src/ui/banner.tsx";
import { Day } from "#src/ui/time.tsx";
import { UpgradeButton } from "../plan-change/upgrade-notice.tsx";
import { RenewNow } from "./renew-now.tsx";
import { lowBalance } from "./renewal-outlook.ts";

interface PaymentBannersProps {
  readonly shield: Server;
  readonly overview: ServerOverview;
}

/** Warnings of an active shield that end it or refuse players when nothing is done. */
export function PaymentBanners({ shield, overview }: PaymentBannersProps) {
  const low = lowBalance(overview, useNow());
  if (overview.status !== "active") return null;
  const isOwner = shield.role === "owner";
  return (
    <>
      {overview.grace_ends_at === null ? null : (
        <Unpaid shield={shield} overview={overview} until={overview.grace_ends_at} />
      )}
      {low === null || !isOwner ? null : <LowBalance renewal={low} />}
      {overview.traffic_used_up ? <TrafficUsedUp shield={shield} overview={overview} /> : null}
    </>
  );
}

function Unpaid({ shield, overview, until }: PaymentBannersProps & { until: string }) {
  const { locale } = useLocale();
  const { renewal } = overview;
  const time = <time dateTime={until}>{absoluteTime(locale, new Date(until))}</time>;
  const isOwner = shield.role === "owner";
  const canRenew = isOwner && renewal?.is_due === true;
  return (
    <Banner
      tone="danger"
      live="polite"
      icon={<IconClockExclamation size={17} stroke={1.6} />}
      stacks
      aside={canRenew ? <RenewNow shieldId={shield.id} renewal={renewal} /> : null}
    >
      <strong>
        <Trans>Unpaid, active until {time}.</Trans>
      </strong>{" "}
      {isOwner ? (
        <Trans>The paid period is over. Without a renewal players can no longer join then.</Trans>
      ) : (
        <Trans>Its owner can renew it. Otherwise players can no longer join then.</Trans>
      )}
    </Banner>
  );
}

function LowBalance({ renewal }: { renewal: NonNullable<ServerOverview["renewal"]> }) {
  const { locale } = useLocale();
  const price = euros(locale, renewal.price_cents);
  const missing = renewal.missing_cents ?? 0;
  const lacking = euros(locale, missing);
  return (
    <Banner
      tone="attack"
      live="polite"
      icon={<IconWallet size={17} stroke={1.6} />}
      stacks
      aside={
        <Button
          size="xs"
          onClick={() => openModal("recharge balance", { amount: wholeEuros(missing) })}
        >
          <Trans>Recharge balance</Trans>
        </Button>
      }
    >
      <strong>
        <Trans>Low balance.</Trans>
      </strong>{" "}
      <Trans>
        The renewal on <Day at={renewal.charge_at} /> costs {price}. The balance lacks {lacking}.
      </Trans>
    </Banner>
  );
}

function TrafficUsedUp({ shield, overview }: PaymentBannersProps) {
  return (
    <Banner
      tone="danger"
      live="polite"
      icon={<IconChartBarOff size={17} stroke={1.6} />}
      stacks
      aside={<UpgradeButton shield={shield} />}
    >
      <strong>
        <Trans>Traffic used up.</Trans>
      </strong>{" "}
      <Trans>
        New players cannot join until <Day at={overview.traffic_resets_at} /> or until the plan
        allows more. Players who are on stay.
      </Trans>
    </Banner>
  );
}
