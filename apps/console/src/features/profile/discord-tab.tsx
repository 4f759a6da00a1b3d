import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Profile } from "@palisade/contract/http/account";
import { IconBrandDiscord, IconExternalLink } from "@tabler/icons-react";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Panel } from "#src/ui/panel.tsx";

export function DiscordTab({ profile }: { profile: Profile }) {
  const { t } = useLingui();
  return (
    <Panel>
      <EmptyState
        icon={<IconBrandDiscord size={22} stroke={1.6} />}
        title={t`Talk to us on Discord`}
        text={
          <Trans>
            Get help from other owners and news about the network. Your Discord account is not
            linked to this one.
          </Trans>
        }
        action={
          <Button
            component="a"
            href={profile.discord_invite_url ?? ""}
            target="_blank"
            rel="noreferrer"
            rightSection={<IconExternalLink size={16} stroke={1.6} />}
          >
            <Trans>Join discord</Trans>
          </Button>
        }
      />
    </Panel>
  );
}
