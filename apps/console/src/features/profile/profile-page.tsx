import { Skeleton } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Profile } from "@palisade/contract/http/account";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { paths } from "#src/lib/paths.ts";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { TabLinks } from "#src/ui/tab-links.tsx";
import { DiscordTab } from "./discord-tab.tsx";
import { NotificationsTab } from "./notifications-tab.tsx";
import classes from "./profile.module.css";
import { profileQuery } from "./profile.queries.ts";
import { SecurityTab } from "./security/security-tab.tsx";
import { DataPanel } from "./general/data-panel.tsx";
import { ProfileForm } from "./general/profile-form.tsx";

const contents: Record<string, ComponentType<{ profile: Profile }>> = {
  general: GeneralTab,
  security: SecurityTab,
  discord: DiscordTab,
  notifications: NotificationsTab,
};

export function ProfilePage() {
  const { t } = useLingui();
  const query = useQuery(profileQuery);
  const { tab = "general" } = useSearch({ from: paths.profile });
  useDocumentTitle(`${t`Profile`} · Palisade`);

  // The tab is hidden if the operator has not configured an invitation.
  const hasDiscord = (query.data?.discord_invite_url ?? null) !== null;
  const tabs = [
    { name: "general", label: t`General` },
    { name: "security", label: t`Security` },
    ...(hasDiscord ? [{ name: "discord", label: t`Discord` }] : []),
    { name: "notifications", label: t`Notifications` },
  ];
  const current = tabs.find(({ name }) => name === tab)?.name ?? "general";

  return (
    <>
      <PageHead title={<Trans>Profile</Trans>} />
      <TabLinks label={t`Profile`} current={current} tabs={tabs} />
      <div className={classes["page"]}>
        {query.isPending ? (
          <ProfileSkeleton />
        ) : query.data ? (
          <Content tab={current} profile={query.data} />
        ) : (
          <Panel>
            <ErrorState
              error={query.error}
              title={t`Error fetching profile`}
              onRetry={() => void query.refetch()}
            />
          </Panel>
        )}
      </div>
    </>
  );
}

function Content({ tab, profile }: { tab: string; profile: Profile }) {
  const Tab = contents[tab] ?? GeneralTab;
  return <Tab profile={profile} />;
}

function ProfileSkeleton() {
  return (
    <LoadingRegion className={classes["page"]}>
      <Skeleton height={260} radius={10} />
      <Skeleton height={220} radius={10} />
    </LoadingRegion>
  );
}

function GeneralTab({ profile }: { profile: Profile }) {
  return (
    <>
      <ProfileForm profile={profile} />
      <DataPanel email={profile.email} />
    </>
  );
}
