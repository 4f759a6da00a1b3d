import { Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { incidentImpacts, type IncidentImpact } from "@palisade/contract/http/status-page";
import { impactLabels } from "./labels.ts";
import type { useAffected, useIncidentForm } from "./use-incident-form.ts";
import classes from "./status.module.css";

type Field = ReturnType<typeof useIncidentForm>["field"];

export function TitleFields({ field }: { field: Field }) {
  const { t } = useLingui();
  return (
    <div className={classes["pair"]}>
      <TextInput label={t`Title in English`} maxLength={120} {...field("title_en")} />
      <TextInput label={t`Title in Russian`} maxLength={120} lang="ru" {...field("title_ru")} />
    </div>
  );
}

export function TextFields({ field }: { field: Field }) {
  const { t } = useLingui();
  const size = { autosize: true, minRows: 3, maxRows: 10, maxLength: 2_000 };
  return (
    <div className={classes["pair"]}>
      <Textarea label={t`Text in English`} {...size} {...field("text_en")} />
      <Textarea label={t`Text in Russian`} lang="ru" {...size} {...field("text_ru")} />
    </div>
  );
}

export function TimeFields({ field }: { field: Field }) {
  const { t } = useLingui();
  return (
    <div className={classes["pair"]}>
      <TextInput type="datetime-local" label={t`Begins, in UTC`} {...field("starts_at")} />
      <TextInput type="datetime-local" label={t`Ends, in UTC`} {...field("ends_at")} />
    </div>
  );
}

interface ImpactFieldProps {
  readonly value: IncidentImpact;
  readonly onChange: (impact: IncidentImpact) => void;
}

export function ImpactField({ value, onChange }: ImpactFieldProps) {
  const { t, i18n } = useLingui();
  return (
    <NativeSelect
      label={t`Impact`}
      value={value}
      onChange={(event) => {
        const chosen = incidentImpacts.find((each) => each === event.currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
      data={incidentImpacts.map((each) => ({ value: each, label: i18n._(impactLabels[each]) }))}
    />
  );
}

interface AffectedFieldsProps {
  readonly affected: ReturnType<typeof useAffected>;
  readonly locations: readonly { readonly name: string; readonly display_name: string }[];
}

export function AffectedFields({ affected, locations }: AffectedFieldsProps) {
  const { t } = useLingui();
  return (
    <fieldset className={classes["affected"]}>
      <legend>
        <Trans>Affects</Trans>
      </legend>
      {locations.map(({ name, display_name }) => (
        <Checkbox
          key={name}
          label={display_name}
          checked={affected.has(name)}
          onChange={() => affected.toggle(name)}
        />
      ))}
      <Checkbox
        label={t`Console and API`}
        checked={affected.values.affects_console}
        onChange={(event) => affected.setAffectsConsole(event.currentTarget.checked)}
      />
    </fieldset>
  );
}
