import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ServerLocation } from "@palisade/contract/http/plans";
import type { UseQueryResult } from "@tanstack/react-query";
import { IconMapPin } from "@tabler/icons-react";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
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
  const { t } = useLingui();
  return (
    <Panel
      prominent
      title={<Trans>Protection location</Trans>}
      note={<Trans>Where players enter the network. Choose the one closest to them.</Trans>}
    >
      {query.isError && !query.data ? (
        <ErrorState
          error={query.error}
          title={t`Error fetching locations`}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <div className={classes["cards"]} role="radiogroup" aria-label={t`Protection location`}>
          {query.data?.map((location) => (
            <ChoiceCard
              key={location.name}
              name="location"
              value={location.name}
              checked={location.name === value}
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
          )) ?? [0, 1, 2].map((index) => <Skeleton key={index} height={46} radius={8} />)}
        </div>
      )}
      {error ? <p className={classes["error"]}>{error}</p> : null}
    </Panel>
  );
}
