import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ServerLocation } from "@palisade/contract/http/plans";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { IconMapPin } from "@tabler/icons-react";
import { errorText } from "#src/api/errors.ts";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import styles from "./location-step.module.css";
import { locationsQuery } from "#src/api/locations.ts";
import { StepFrame } from "./step-frame.tsx";
import { useStep } from "./use-step.ts";

interface LocationStepProps {
  readonly query: UseQueryResult<ServerLocation[]>;
  readonly planName: string | undefined;
}

export function LocationStep({ query, planName }: LocationStepProps) {
  const { t } = useLingui();
  const step = useStep("location");
  const chosen = query.data?.find(({ name }) => name === step.draft.location);
  const isGone = chosen !== undefined && !chosen.is_available;
  return (
    <StepFrame
      title={<Trans>Choose protection location</Trans>}
      description={
        <Trans>Players enter the network here. Choose the location closest to them.</Trans>
      }
      onNext={() => {
        if (!isGone) step.next();
      }}
      onBack={step.back}
      blocked={query.data === undefined}
      problem={isGone ? t`This location is not available` : step.errorOf("location")}
    >
      <Locations
        query={query}
        planName={planName}
        value={step.draft.location}
        onChoose={(name) => step.change("location", name)}
      />
    </StepFrame>
  );
}

interface LocationsProps extends LocationStepProps {
  readonly value: string;
  readonly onChoose: (name: string) => void;
}

function Locations({ query, planName, value, onChoose }: LocationsProps) {
  const { t } = useLingui();
  const reason = errorText(query.error, t`The server could not be reached`);
  // A location that is open without the plan is closed because of the plan.
  const anyPlan = useQuery({
    ...locationsQuery(""),
    enabled: query.data?.some(({ is_available: open }) => !open) ?? false,
  });
  const isOpen = (name: string) =>
    anyPlan.data?.some((location) => location.name === name && location.is_available) ?? false;
  if (query.data) {
    return (
      <div className={styles["cards"]} role="radiogroup" aria-label={t`Protection location`}>
        {query.data.map((location) => (
          <LocationCard
            key={location.name}
            location={location}
            reason={
              isOpen(location.name) && planName !== undefined
                ? t`Not included in ${planName}`
                : t`No edge is online here right now`
            }
            checked={location.name === value && location.is_available}
            onChoose={onChoose}
          />
        ))}
      </div>
    );
  }
  if (query.isPending) {
    return (
      <LoadingRegion className={styles["cards"]}>
        {[0, 1, 2, 3].map((index) => (
          <Skeleton key={index} height={66} radius={8} />
        ))}
      </LoadingRegion>
    );
  }
  return (
    <ErrorState
      error={query.error}
      title={t`Error fetching regions: ${reason}`}
      onRetry={() => void query.refetch()}
    />
  );
}

interface LocationCardProps {
  readonly location: ServerLocation;
  readonly reason: string;
  readonly checked: boolean;
  readonly onChoose: (name: string) => void;
}

function LocationCard({ location, reason, checked, onChoose }: LocationCardProps) {
  return (
    <ChoiceCard
      name="location"
      value={location.name}
      checked={checked}
      disabled={!location.is_available}
      onChoose={onChoose}
    >
      <span className={styles["place"]} data-closed={location.is_available ? undefined : true}>
        {location.flag_url === null ? (
          <IconMapPin size={20} stroke={1.6} aria-hidden="true" />
        ) : (
          <img src={location.flag_url} alt="" width={30} height={20} />
        )}
        <span>
          {location.display_name}
          <small>{location.is_available ? <Trans>Available now</Trans> : reason}</small>
        </span>
      </span>
    </ChoiceCard>
  );
}
