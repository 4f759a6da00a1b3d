import { Skeleton } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import type { Change } from "../receipt.tsx";
import classes from "./notifications.module.css";
import { notificationsQuery } from "./notifications.queries.ts";
import { SettingsForm } from "./settings-form.tsx";
import { WebhooksPanel } from "./webhooks-panel.tsx";

interface NotificationsSectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

export function NotificationsSection({ shield }: NotificationsSectionProps) {
  const { t } = useLingui();
  const query = useQuery(notificationsQuery(shield.id));
  if (query.isPending) {
    return (
      <LoadingRegion className={classes["section"]}>
        <Skeleton height={520} radius={10} />
        <Skeleton height={220} radius={10} />
      </LoadingRegion>
    );
  }
  return (
    <div className={classes["section"]}>
      {query.data ? (
        <SettingsForm shield={shield} fallback={query.data} />
      ) : (
        // No defaults here: Save would write them.
        <Panel>
          <ErrorState
            error={query.error}
            title={t`Failed to fetch notifications`}
            onRetry={() => void query.refetch()}
          />
        </Panel>
      )}
      <WebhooksPanel shieldId={shield.id} />
    </div>
  );
}
