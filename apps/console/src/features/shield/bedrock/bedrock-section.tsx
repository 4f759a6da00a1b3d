import { Skeleton } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import type { Change } from "../receipt.tsx";
import classes from "./bedrock.module.css";
import { bedrockQuery } from "./bedrock.queries.ts";
import { GeyserGuide } from "./geyser-guide.tsx";
import { PortsPanel } from "./ports-panel.tsx";
import { TogglePanel } from "./toggle-panel.tsx";
import { useBedrock } from "./use-bedrock.ts";

interface BedrockSectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

export function BedrockSection({ shield, onChange }: BedrockSectionProps) {
  const { t } = useLingui();
  const query = useQuery(bedrockQuery(shield.id));
  const changes = useBedrock(shield.id, onChange);

  if (query.isPending) {
    return (
      <LoadingRegion className={classes["columns"]}>
        <Skeleton height={230} radius={10} />
        <Skeleton height={230} radius={10} />
      </LoadingRegion>
    );
  }
  if (!query.data) {
    return (
      <Panel>
        <ErrorState
          error={query.error}
          title={t`Error fetching server ports`}
          onRetry={() => void query.refetch()}
        />
      </Panel>
    );
  }
  const bedrock = query.data.value;
  return (
    <>
      <div className={classes["columns"]}>
        <TogglePanel shield={shield} bedrock={bedrock} changes={changes} />
        <PortsPanel shield={shield} bedrock={bedrock} changes={changes} />
      </div>
      <GeyserGuide bedrock={bedrock} />
    </>
  );
}
