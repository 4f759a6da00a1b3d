import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { StatusIncident } from "@palisade/contract/http/status-page";
import { absoluteTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Status } from "#src/ui/status.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { stateLabels, toneOf } from "./labels.ts";
import classes from "./status.module.css";

interface IncidentItemProps {
  readonly incident: StatusIncident;
  readonly locations: readonly { readonly name: string; readonly display_name: string }[];
  readonly onUpdate: () => void;
  readonly onEdit: () => void;
}

/** One entry with its newest update, and what can be done with it. */
export function IncidentItem({ incident, locations, onUpdate, onEdit }: IncidentItemProps) {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const { title, state, starts_at, ends_at, ended_at, updates } = incident;
  const name = title[locale];
  const affected = [
    ...incident.locations.map(
      (each) => locations.find((location) => location.name === each)?.display_name ?? each,
    ),
    ...(incident.affects_console ? [t`Console and API`] : []),
  ];
  const [newest] = updates;
  const time = (iso: string) => absoluteTime(locale, new Date(iso));
  const end = ended_at ?? ends_at;
  return (
    <article className={classes["item"]} aria-label={name}>
      <header className={classes["head"]}>
        <h3>{name}</h3>
        <Status tone={toneOf(incident)}>{i18n._(stateLabels[state])}</Status>
      </header>
      <p className={classes["note"]}>
        {end === null ? time(starts_at) : `${time(starts_at)} – ${time(end)}`}
        {affected.length === 0 ? null : ` · ${affected.join(", ")}`}
      </p>
      {newest === undefined ? null : (
        <p className={classes["text"]}>
          {newest.text[locale]}{" "}
          <span className={classes["note"]}>
            <RelativeTime at={newest.at} />
          </span>
        </p>
      )}
      <div className={classes["actions"]}>
        {ended_at === null ? (
          <Button size="xs" onClick={onUpdate}>
            <Trans>Publish an update</Trans>
          </Button>
        ) : null}
        <Button size="xs" variant="default" onClick={onEdit}>
          <Trans>Correct</Trans>
        </Button>
      </div>
    </article>
  );
}
