import { NativeSelect } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { addUpdate, createIncident, updateIncident } from "@palisade/contract/http/staff-status";
import {
  incidentStates,
  isEnded,
  type IncidentImpact,
  type IncidentKind,
  type IncidentState,
  type StatusIncident,
} from "@palisade/contract/http/status-page";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { StaffActionDialog } from "../staff-action-dialog.tsx";
import {
  AffectedFields,
  ImpactField,
  TextFields,
  TimeFields,
  TitleFields,
} from "./incident-fields.tsx";
import { stateLabels } from "./labels.ts";
import { fromField, noTexts, toField, useAffected, useIncidentForm } from "./use-incident-form.ts";

interface StateFieldProps {
  readonly states: readonly IncidentState[];
  readonly value: IncidentState;
  readonly onChange: (state: IncidentState) => void;
}

function StateField({ states, value, onChange }: StateFieldProps) {
  const { t, i18n } = useLingui();
  return (
    <NativeSelect
      label={t`State`}
      value={value}
      onChange={(event) => {
        const chosen = states.find((each) => each === event.currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
      data={states.map((state) => ({ value: state, label: i18n._(stateLabels[state]) }))}
    />
  );
}

type Locations = readonly { readonly name: string; readonly display_name: string }[];

interface PublishDialogProps {
  readonly kind: IncidentKind;
  readonly locations: Locations;
  readonly onClose: () => void;
}

/** A new incident, or a maintenance that is planned. */
export function PublishDialog({ kind, locations, onClose }: PublishDialogProps) {
  const { t } = useLingui();
  const isPlanned = kind === "maintenance";
  const [impact, setImpact] = useState<IncidentImpact>(isPlanned ? "none" : "minor");
  const [state, setState] = useState<IncidentState>(isPlanned ? "scheduled" : "investigating");
  const affected = useAffected({ locations: [], affects_console: false });
  const parts = { withText: true, withTimes: isPlanned };
  const { values, field, isReady } = useIncidentForm(noTexts, parts);
  return (
    <StaffActionDialog
      wide
      title={isPlanned ? t`Plan a maintenance` : t`Publish an incident`}
      action={t`Publish`}
      isReady={isReady}
      run={async (reason) => {
        const { starts_at, ends_at, ...texts } = values;
        const times = isPlanned
          ? { starts_at: fromField(starts_at), ends_at: fromField(ends_at) }
          : {};
        const body = { kind, state, impact, reason, ...affected.values, ...texts, ...times };
        return (await call(createIncident, { body })).data.message;
      }}
      onClose={onClose}
    >
      <TitleFields field={field} />
      {isPlanned ? (
        <TimeFields field={field} />
      ) : (
        <>
          <ImpactField value={impact} onChange={setImpact} />
          <StateField
            states={incidentStates.incident.filter((each) => !isEnded(each))}
            value={state}
            onChange={setState}
          />
        </>
      )}
      <AffectedFields affected={affected} locations={locations} />
      <TextFields field={field} />
      <p>
        {isPlanned ? (
          <Trans>
            Subscribers get it now, and again an hour before. It begins and ends by itself.
          </Trans>
        ) : (
          <Trans>The status page shows it at once, and subscribers get it.</Trans>
        )}
      </p>
    </StaffActionDialog>
  );
}

interface IncidentDialogProps {
  readonly incident: StatusIncident;
  readonly onClose: () => void;
}

/** An update, which may end the incident. */
export function UpdateDialog({ incident, onClose }: IncidentDialogProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const [state, setState] = useState<IncidentState>(incident.state);
  const { title } = incident;
  // The titles are right already; only the texts are typed.
  const initial = { ...noTexts, title_en: title.en, title_ru: title.ru };
  const { values, field, isReady } = useIncidentForm(initial, { withText: true, withTimes: false });
  return (
    <StaffActionDialog
      wide
      title={t`Publish an update`}
      action={t`Publish`}
      isReady={isReady}
      run={async (reason) => {
        const { text_en, text_ru } = values;
        const params = { incidentId: incident.id };
        return (await call(addUpdate, { params, body: { state, text_en, text_ru, reason } })).data
          .message;
      }}
      onClose={onClose}
    >
      <p>{title[locale]}</p>
      <StateField states={incidentStates[incident.kind]} value={state} onChange={setState} />
      <TextFields field={field} />
      <p>
        {isEnded(state) ? (
          <Trans>It ends with this update and takes no further one. Subscribers get it.</Trans>
        ) : (
          <Trans>The status page shows it at once, and subscribers get it.</Trans>
        )}
      </p>
    </StaffActionDialog>
  );
}

/** Corrections, which subscribers are not told. */
export function EditDialog({
  incident,
  locations,
  onClose,
}: IncidentDialogProps & { readonly locations: Locations }) {
  const { t } = useLingui();
  const { title, starts_at, ends_at, kind } = incident;
  const [impact, setImpact] = useState(incident.impact);
  const affected = useAffected(incident);
  const initial = {
    ...noTexts,
    title_en: title.en,
    title_ru: title.ru,
    starts_at: toField(starts_at),
    ends_at: ends_at === null ? "" : toField(ends_at),
  };
  const isPlanned = kind === "maintenance";
  const parts = { withText: false, withTimes: isPlanned };
  const { values, field, isReady } = useIncidentForm(initial, parts);
  return (
    <StaffActionDialog
      wide
      title={t`Correct an entry`}
      action={t`Save`}
      isReady={isReady}
      run={async (reason) => {
        const { title_en, title_ru } = values;
        const times = isPlanned
          ? { starts_at: fromField(values.starts_at), ends_at: fromField(values.ends_at) }
          : {};
        const body = { title_en, title_ru, impact, reason, ...affected.values, ...times };
        return (await call(updateIncident, { params: { incidentId: incident.id }, body })).data
          .message;
      }}
      onClose={onClose}
    >
      <TitleFields field={field} />
      {isPlanned ? (
        <TimeFields field={field} />
      ) : (
        <ImpactField value={impact} onChange={setImpact} />
      )}
      <AffectedFields affected={affected} locations={locations} />
      <p>
        <Trans>Subscribers are not told. Publish an update for what they should know.</Trans>
      </p>
    </StaffActionDialog>
  );
}
