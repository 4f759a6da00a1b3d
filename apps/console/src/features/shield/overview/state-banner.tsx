import { Trans } from "@lingui/react/macro";
import type { ServerOverview } from "@palisade/contract/http/servers";
import { IconClockOff, IconEye, IconLock, IconShieldBolt } from "@tabler/icons-react";
import { Banner } from "#src/ui/banner.tsx";
import { MitigationLink, UnderAttack } from "./under-attack.tsx";

/** What stands out about the shield's state, and what it means for players; nothing where all is well. */
export function StateBanner(props: { shieldId: string; overview: ServerOverview }) {
  const { shieldId, overview } = props;
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
  if (overview.under_attack) {
    return (
      <Banner tone="attack" live="polite" icon={<IconShieldBolt size={17} stroke={1.6} />}>
        <UnderAttack shieldId={shieldId} antibot={overview.antibot} />
      </Banner>
    );
  }
  if (overview.antibot !== "shadow") return null;
  return (
    <Banner tone="attack" icon={<IconEye size={17} stroke={1.6} />}>
      <strong>
        <Trans>Shadow mode is on.</Trans>
      </strong>{" "}
      <Trans>Whom mitigation would refuse is counted, and let in all the same.</Trans>{" "}
      <MitigationLink shieldId={shieldId} />
    </Banner>
  );
}
