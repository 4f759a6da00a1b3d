import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { IconAlertTriangle } from "@tabler/icons-react";
import { paths } from "#src/lib/paths.ts";
import { Banner } from "#src/ui/banner.tsx";
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
      {bedrock.bedrock_enabled && !bedrock.has_server ? <NoServer shieldId={shield.id} /> : null}
      <div className={classes["columns"]}>
        <TogglePanel shield={shield} bedrock={bedrock} changes={changes} />
        <PortsPanel shield={shield} bedrock={bedrock} changes={changes} />
      </div>
      <GeyserGuide bedrock={bedrock} />
    </>
  );
}

function NoServer({ shieldId }: { readonly shieldId: string }) {
  return (
    <div className={classes["warning"]}>
      <Banner tone="attack" live="polite" icon={<IconAlertTriangle size={17} stroke={1.6} />}>
        <Trans>
          Players of Bedrock cannot join: no server has a Bedrock port. Enter the UDP port of Geyser
          in the settings of your server under{" "}
          <Link to={paths.shield} params={{ shieldId, section: "backends" }}>
            Backends
          </Link>
          .
        </Trans>
      </Banner>
    </div>
  );
}
