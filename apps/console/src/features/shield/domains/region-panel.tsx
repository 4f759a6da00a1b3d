import { NativeSelect, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { regionRoutes, type ShieldRegion } from "@palisade/contract/http/regions";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { clock } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { useMayChange } from "../may-change.ts";
import type { Change } from "../receipt.tsx";
import { ifMatch } from "../shield.queries.ts";
import { minutesAndSeconds, useCountdown } from "./countdown.ts";
import { regionQuery } from "./domains.queries.ts";
import classes from "./domains.module.css";

interface RegionPanelProps {
  readonly shieldId: string;
  readonly onChange: (change: Change) => void;
}

export function RegionPanel({ shieldId, onChange }: RegionPanelProps) {
  const { t } = useLingui();
  const query = useQuery(regionQuery(shieldId));
  const reason = errorText(query.error, t`The server could not be reached`);
  return (
    <Panel prominent title={<Trans>Region</Trans>}>
      {query.data ? (
        <RegionForm
          shieldId={shieldId}
          region={query.data.value}
          etag={query.data.etag}
          readAtMs={query.dataUpdatedAt}
          onChange={onChange}
        />
      ) : query.isPending ? (
        <LoadingRegion>
          <Skeleton height={80} radius={8} />
        </LoadingRegion>
      ) : (
        <ErrorState
          compact
          error={query.error}
          title={t`Error fetching regions: ${reason}`}
          onRetry={() => void query.refetch()}
        />
      )}
    </Panel>
  );
}

interface RegionFormProps extends RegionPanelProps {
  readonly region: ShieldRegion;
  readonly etag: string | null;
  readonly readAtMs: number;
}

function RegionForm({ shieldId, region, etag, readAtMs, onChange }: RegionFormProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const queryClient = useQueryClient();
  const current = region.current_region.name;
  const [chosen, setChosen] = useState<string | null>(null);
  const left = useCountdown(region.locked_seconds, readAtMs);
  const value = chosen ?? current;

  const change = useMutation({
    mutationFn: () =>
      call(regionRoutes.updateRegion, {
        params: { id: shieldId },
        body: { location: value },
        headers: ifMatch(etag),
      }),
    onSuccess: ({ data, headers }) => {
      onChange({ label: t`Region updated successfully`, revision: data.revision });
      queryClient.setQueryData(regionQuery(shieldId).queryKey, {
        value: data.region,
        etag: headers.get("etag"),
      });
      setChosen(null);
      // The overview and the header show it too.
      void queryClient.invalidateQueries({ queryKey: ["servers", shieldId], exact: true });
    },
    onError: (error) => {
      toast("error", errorText(error, t`Failed to update region`));
      // Another user may have changed it: read it again.
      void queryClient.invalidateQueries({ queryKey: regionQuery(shieldId).queryKey });
    },
  });

  const time = minutesAndSeconds(left);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <div className={classes["region"]}>
        <NativeSelect
          aria-label={t`Region`}
          name="region"
          value={value}
          disabled={left > 0 || !mayChange}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={region.available_regions.map((each) => ({
            value: each.value,
            label:
              each.is_available || each.name === current
                ? each.display_name
                : t`${each.display_name} (not available)`,
            disabled: !each.is_available && each.name !== current,
          }))}
        />
        {mayChange ? (
          <ActionButton
            type="submit"
            loading={change.isPending}
            disabled={left > 0 || value === current}
          >
            <Trans>Change region</Trans>
          </ActionButton>
        ) : null}
      </div>
      <p className={classes["hint"]}>
        {left > 0 ? (
          <Trans>
            The region can be changed once every 2 minutes: again in{" "}
            <span className={classes["time"]}>{time}</span>.
          </Trans>
        ) : (
          <Trans>
            Players enter the network in this region. A change may take several minutes to take
            effect.
          </Trans>
        )}
      </p>
      <LeftRegions region={region} />
    </form>
  );
}

/** Players can still join through the regions that were left, until DNS has moved them. */
function LeftRegions({ region }: { region: ShieldRegion }) {
  const { locale } = useLocale();
  return region.left_regions.map(({ name, display_name: location, until }) => {
    const end = clock(locale, new Date(until));
    return (
      <p key={name} className={classes["hint"]}>
        <Trans>
          Players can still join through {location} until {end}, while DNS sends them to the new
          region.
        </Trans>
      </p>
    );
  });
}
