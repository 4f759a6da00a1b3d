import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { noServerMessages, type ServerMessages } from "@palisade/contract/http/server-messages";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { IconLock } from "@tabler/icons-react";
import { statusOf } from "#src/api/errors.ts";
import { paths } from "#src/lib/paths.ts";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { TabLinks } from "#src/ui/tab-links.tsx";
import { useMayChange } from "../may-change.ts";
import type { Change } from "../receipt.tsx";
import { messagesQuery, type Versioned } from "../shield.queries.ts";
import { UpgradeNotice } from "../plan-change/upgrade-notice.tsx";
import classes from "./customization.module.css";
import type { Group } from "./message-texts.ts";
import { MessagesForm } from "./messages-form.tsx";

const nothing: Versioned<ServerMessages> = { value: noServerMessages, etag: null };

const groups = ["general", "mitigation", "offline", "firewall"] as const satisfies Group[];

interface CustomizationSectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

export function CustomizationSection({ shield, onChange }: CustomizationSectionProps) {
  const { t } = useLingui();
  const { tab } = useSearch({ from: paths.shield });
  const group = groups.find((name) => name === tab) ?? "general";
  const query = useQuery(messagesQuery(shield.id));
  const mayChange = useMayChange();
  const forbidden = statusOf(query.error) === 403;

  if (query.isPending) {
    return (
      <LoadingRegion className={classes["columns"]}>
        <Skeleton height={420} radius={10} />
        <Skeleton height={240} radius={10} />
      </LoadingRegion>
    );
  }
  if (!query.data && !forbidden) {
    return (
      <Panel>
        <ErrorState
          error={query.error}
          title={t`Error fetching server messages. Please try again later.`}
          onRetry={() => void query.refetch()}
        />
      </Panel>
    );
  }
  return (
    <>
      {forbidden ? (
        <div className={classes["notice"]}>
          <UpgradeNotice
            shield={shield}
            icon={<IconLock size={17} stroke={1.6} />}
            has={(includes) => includes.customization}
          >
            <Trans>Your plan does not include custom messages. They are read-only.</Trans>{" "}
            <Trans>A larger plan has them.</Trans>
          </UpgradeNotice>
        </div>
      ) : null}
      <TabLinks
        label={t`Messages`}
        current={group}
        tabs={[
          { name: "general", label: t`General` },
          { name: "mitigation", label: t`Mitigation` },
          { name: "offline", label: t`Offline` },
          { name: "firewall", label: t`Firewall` },
        ]}
      />
      <MessagesForm
        key={group}
        shield={shield}
        group={group}
        fallback={nothing}
        readOnly={forbidden || !mayChange}
        onChange={onChange}
      />
    </>
  );
}
