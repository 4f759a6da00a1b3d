import { Trans, useLingui } from "@lingui/react/macro";
import type { Server, ServerOverview } from "@palisade/contract/http/servers";
import { IconClockOff, IconEye, IconLock, IconShieldBolt } from "@tabler/icons-react";
import { Banner } from "#src/ui/banner.tsx";
import { ContactSupport } from "#src/ui/contact-support.tsx";
import { RenewNow } from "./renew-now.tsx";
import { MitigationLink, UnderAttack } from "./under-attack.tsx";

interface StateBannerProps {
  readonly shield: Server;
  readonly overview: ServerOverview;
}

/** Explains an unusual state and its effect on players; empty in the normal state. */
export function StateBanner({ shield, overview }: StateBannerProps) {
  if (overview.status === "expired") return <Expired shield={shield} overview={overview} />;
  if (overview.status === "blocked")
    return <Blocked shield={shield} reason={overview.blocked_reason} />;
  if (overview.under_attack) {
    return (
      <Banner tone="attack" live="polite" icon={<IconShieldBolt size={17} stroke={1.6} />}>
        <UnderAttack shieldId={shield.id} antibot={overview.antibot} />
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
      <MitigationLink shieldId={shield.id} />
    </Banner>
  );
}

function Expired({ shield, overview }: StateBannerProps) {
  const { renewal } = overview;
  const isOwner = shield.role === "owner";
  return (
    <Banner
      tone="danger"
      icon={<IconClockOff size={17} stroke={1.6} />}
      stacks
      aside={
        isOwner && renewal !== null ? <RenewNow shieldId={shield.id} renewal={renewal} /> : null
      }
    >
      <Trans>
        <strong>This shield has expired.</strong> Players cannot join and see a message that says
        so. Your settings are kept.
      </Trans>{" "}
      {isOwner ? null : <Trans>Its owner can renew it.</Trans>}
    </Banner>
  );
}

function Blocked({ shield, reason }: { shield: Server; reason: string | null }) {
  const { t } = useLingui();
  const name = shield.server_name;
  return (
    <Banner tone="danger" icon={<IconLock size={17} stroke={1.6} />}>
      <Trans>
        <strong>This shield is blocked.</strong> Players cannot join and see a message that says so.
        Your settings are kept.
      </Trans>{" "}
      {reason === null ? null : <Trans>Reason: {reason}</Trans>}{" "}
      <ContactSupport
        category="technical"
        subject={t`The Game Shield ${name} is blocked`}
        shieldId={shield.id}
      />
    </Banner>
  );
}
