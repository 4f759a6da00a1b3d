import { Trans } from "@lingui/react/macro";
import type { ServerOverview } from "@palisade/contract/http/servers";
import { IconClockOff, IconLock, IconShieldBolt } from "@tabler/icons-react";
import { Banner } from "#src/ui/banner.tsx";

/** What stands out about the shield's state, and what it means for players; nothing where all is well. */
export function StateBanner({ overview }: { overview: ServerOverview }) {
  if (overview.status === "expired") {
    return (
      <Banner tone="danger" icon={<IconClockOff size={17} stroke={1.6} />}>
        <Trans>
          <strong>This shield has expired.</strong> Players are told so and cannot join. Your
          settings are kept.
        </Trans>
      </Banner>
    );
  }
  if (overview.status === "blocked") {
    return (
      <Banner tone="danger" icon={<IconLock size={17} stroke={1.6} />}>
        <Trans>
          <strong>This shield is blocked.</strong> Players are told so and cannot join. Your
          settings are kept; ask support for the reason.
        </Trans>
      </Banner>
    );
  }
  if (!overview.under_attack) return null;
  return (
    <Banner tone="attack" live="polite" icon={<IconShieldBolt size={17} stroke={1.6} />}>
      <Trans>
        <strong>Under attack.</strong> Attackers are refused at the edge; players stay on.
      </Trans>
    </Banner>
  );
}
