import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ServerLocation } from "@palisade/contract/http/plans";
import type { UseQueryResult } from "@tanstack/react-query";
import { IconMapPin } from "@tabler/icons-react";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import styles from "./location-picker.module.css";
import classes from "./setup.module.css";

interface LocationPickerProps {
  readonly query: UseQueryResult<ServerLocation[]>;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChoose: (name: string) => void;
}

export function LocationPicker({ query, value, error, onChoose }: LocationPickerProps) {
  return (
    <Panel
      prominent
      title={<Trans>Protection location</Trans>}
      note={<Trans>Where players enter the network. Choose the one closest to them.</Trans>}
    >
      <Locations query={query} value={value} onChoose={onChoose} />
      {error ? <p className={classes["error"]}>{error}</p> : null}
    </Panel>
  );
}

function Locations({ query, value, onChoose }: Omit<LocationPickerProps, "error">) {
  const { t } = useLingui();
  if (query.data) {
    return (
      <div className={classes["cards"]} role="radiogroup" aria-label={t`Protection location`}>
        {query.data.map((location) => (
          <LocationCard
            key={location.name}
            location={location}
            checked={location.name === value}
            onChoose={onChoose}
          />
        ))}
      </div>
    );
  }
  if (query.isPending) {
    return (
      <LoadingRegion className={classes["cards"]}>
        {[0, 1, 2].map((index) => (
          <Skeleton key={index} height={46} radius={8} />
        ))}
      </LoadingRegion>
    );
  }
  return (
    <ErrorState
      error={query.error}
      title={t`Error fetching locations`}
      onRetry={() => void query.refetch()}
    />
  );
}

interface LocationCardProps {
  readonly location: ServerLocation;
  readonly checked: boolean;
  readonly onChoose: (name: string) => void;
}

function LocationCard({ location, checked, onChoose }: LocationCardProps) {
  return (
    <ChoiceCard
      name="location"
      value={location.name}
      checked={checked}
      disabled={!location.is_available}
      onChoose={onChoose}
    >
      <span className={styles["place"]}>
        {location.flag_url === null ? (
          <IconMapPin size={18} stroke={1.6} aria-hidden="true" />
        ) : (
          <img src={location.flag_url} alt="" width={24} height={16} />
        )}
        <span>
          {location.display_name}
          {location.is_available ? null : (
            <small>
              <Trans>Not available</Trans>
            </small>
          )}
        </span>
      </span>
    </ChoiceCard>
  );
}
