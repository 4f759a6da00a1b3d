import { Trans } from "@lingui/react/macro";
import type { ServerOverview } from "@palisade/contract/http/servers";
import { IconClockOff, IconEye, IconLock, IconShieldBolt } from "@tabler/icons-react";
import { Banner } from "#src/ui/banner.tsx";
import { useOperatorContact } from "../operator.queries.tsx";
import { MitigationLink, UnderAttack } from "./under-attack.tsx";

/** Explains an unusual state and its effect on players; empty in the normal state. */
export function StateBanner(props: { shieldId: string; overview: ServerOverview }) {
  const { shieldId, overview } = props;
  const contact = useOperatorContact();
  if (overview.status === "expired") {
    return (
      <Banner tone="danger" icon={<IconClockOff size={17} stroke={1.6} />}>
        <Trans>
          <strong>This shield has expired.</strong> Players cannot join and see a message that says
          so. Your settings are kept.
        </Trans>
      </Banner>
    );
  }
  if (overview.status === "blocked") {
    return (
      <Banner tone="danger" icon={<IconLock size={17} stroke={1.6} />}>
        <Trans>
          <strong>This shield is blocked.</strong> Players cannot join and see a message that says
          so. Your settings are kept.
        </Trans>{" "}
        {contact === null ? null : <Trans>Ask for the reason: {contact}</Trans>}
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
      <Trans>Players and bots that mitigation would refuse are counted but let in.</Trans>{" "}
      <MitigationLink shieldId={shieldId} />
    </Banner>
  );
}
