import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { mitigationFallback, type Mitigation } from "@palisade/contract/http/mitigation";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { errorText } from "#src/api/errors.ts";
import { paths } from "#src/lib/paths.ts";
import { Banner } from "#src/ui/banner.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { useMayChange } from "../may-change.ts";
import type { Change } from "../receipt.tsx";
import type { Versioned } from "../shield.queries.ts";
import { ChallengesPanel } from "./challenges/challenges-panel.tsx";
import classes from "./mitigation.module.css";
import { mitigationQuery, versionsQuery } from "./mitigation.queries.ts";
import { tabs } from "./settings.ts";
import { SettingsForm } from "./settings-form.tsx";
import { TrialPanel } from "./trial/trial-panel.tsx";
import { fallbackVersions, versionsWith } from "./version-range.ts";

/** Shown read-only if the settings cannot be read; Save must never write these. */
const fallback: Versioned<Mitigation> = {
  value: {
    ...mitigationFallback,
    antibot_level_max: "extreme",
    anti_vpn_available: true,
    anti_vpn_has_lists: true,
    shadowed_24h: {},
    would_challenge_24h: {},
  },
  etag: null,
};

/** Polling interval of the counts while shadow mode is on. */
const shadowMs = 15_000;

interface MitigationSectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

export function MitigationSection({ shield, onChange }: MitigationSectionProps) {
  const { t } = useLingui();
  const { tab } = useSearch({ from: paths.shield });
  const query = useQuery({
    ...mitigationQuery(shield.id),
    refetchInterval: ({ state }) => (state.data?.value.shadow_mode === true ? shadowMs : false),
  });
  const versions = useQuery(versionsQuery);
  const mayChange = useMayChange();

  if (query.isPending || versions.isPending) {
    return (
      <LoadingRegion className={classes["form"]}>
        <Skeleton height={86} radius={10} />
        <Skeleton height={480} radius={10} />
      </LoadingRegion>
    );
  }
  const { minecraft_versions: range } = (query.data ?? fallback).value;
  return (
    <>
      {query.data ? null : (
        <div className={classes["failure"]}>
          <Banner
            tone="danger"
            live="assertive"
            icon={<IconPlugConnectedX size={17} stroke={1.6} />}
            aside={
              <Button size="compact-sm" variant="default" onClick={() => void query.refetch()}>
                <Trans>Try again</Trans>
              </Button>
            }
          >
            <p>
              <strong>{errorText(query.error, t`Error fetching`)}</strong>
            </p>
            <p>
              <Trans>
                The values below are defaults, not your settings, and cannot be saved. Your own
                settings still apply.
              </Trans>
            </p>
          </Banner>
        </div>
      )}
      <SettingsForm
        // A form filled with the fallback must never become savable.
        key={query.data ? "stored" : "fallback"}
        shield={shield}
        tab={tabs.find((name) => name === tab) ?? "general"}
        fallback={fallback}
        versions={versionsWith(versions.data ?? fallbackVersions, range)}
        readOnly={!query.data || !mayChange}
        onChange={onChange}
      />
      {query.data && tab === "antibot" ? (
        <div className={classes["beside"]}>
          <ChallengesPanel shieldId={shield.id} settings={query.data.value} />
          <TrialPanel
            shieldId={shield.id}
            level={query.data.value.antibot_level}
            onChange={onChange}
          />
        </div>
      ) : null}
    </>
  );
}
