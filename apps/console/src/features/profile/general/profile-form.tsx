import { TextInput, NativeSelect } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Profile } from "@palisade/contract/http/account";
import { needsPostcode, countryCodes, countryName } from "@palisade/contract/http/country-rules";
import { useEffect, useRef, useState, useMemo, type ComponentProps } from "react";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { mergeValues } from "#src/lib/merge-values.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { UnsavedGuard } from "#src/ui/unsaved-guard.tsx";
import classes from "../profile.module.css";
import { isChanged, profileForm, valuesOf, type ProfileValues } from "./profile-values.ts";
import { VatIdState } from "./vat-id-state.tsx";
import { useSaveProfile } from "./use-save-profile.ts";

export function ProfileForm({ profile }: { profile: Profile }) {
  const { t } = useLingui();
  /** The stored values as last read. Values that differ from them were typed here. */
  const [before, setBefore] = useState(() => valuesOf(profile));
  const { form, field, submit, placeIssues } = useContractForm(profileForm, before);
  const dirty = isChanged(before, form.values);
  const showInvalid = () => toast("error", t`Please fix validation errors`);
  const save = useSaveProfile({
    placeIssues: (issues) => {
      const placed = placeIssues(issues);
      if (placed) showInvalid();
      return placed;
    },
    onSaved: (sent, now) => adopt(sent, valuesOf(now)),
  });
  function adopt(known: ProfileValues, now: ProfileValues) {
    setBefore(now);
    form.setValues(mergeValues(known, form.getValues(), now));
  }
  // Adopts changes from another tab or device, so that saving does not undo them. Right after a save
  // `profile` is still the old one and must be ignored.
  const seen = useRef(profile);
  useEffect(() => {
    if (seen.current === profile) return;
    seen.current = profile;
    const now = valuesOf(profile);
    if (isChanged(before, now)) adopt(before, now);
  });
  // The answer of VIES is about the stored values, not about those being typed.
  const isAsStored = form.values.vat_id === before.vat_id && form.values.country === before.country;
  const text = (name: keyof typeof before) => ({ ...field(name), maxLength: 120 });

  return (
    <form
      className={classes["page"]}
      noValidate
      onSubmit={submit((values) => save.mutate(values), showInvalid)}
    >
      <UnsavedGuard dirty={dirty} />
      <Panel prominent title={t`Your name`}>
        <div className={classes["fields"]}>
          <TextInput
            {...text("first_name")}
            label={t`First name`}
            autoComplete="given-name"
            withAsterisk
          />
          <TextInput
            {...text("last_name")}
            label={t`Last name`}
            autoComplete="family-name"
            withAsterisk
          />
          <TextInput
            {...text("username")}
            label={t`Username`}
            description={t`Optional. Other owners can invite you to their shields by this name.`}
            autoComplete="nickname"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
      </Panel>
      <Panel prominent title={t`Address`}>
        <div className={classes["fields"]}>
          <TextInput
            {...text("address_line_1")}
            className={classes["wide"] ?? ""}
            label={t`Address line 1`}
            autoComplete="address-line1"
            withAsterisk
          />
          <TextInput
            {...text("address_line_2")}
            className={classes["wide"] ?? ""}
            label={t`Address line 2`}
            autoComplete="address-line2"
          />
          <CountryField {...field("country")} />
          <TextInput
            {...text("zip_code")}
            label={t`Postcode`}
            autoComplete="postal-code"
            withAsterisk={needsPostcode(form.values.country)}
          />
          <TextInput {...text("city")} label={t`City`} autoComplete="address-level2" withAsterisk />
        </div>
      </Panel>
      <Panel
        prominent
        title={t`Company`}
        note={t`Fill this in if you buy for a company. New receipts and invoices name the company with its VAT ID as the buyer; issued ones stay as they are.`}
      >
        <div className={classes["fields"]}>
          <TextInput
            {...text("company_name")}
            label={t`Company name`}
            autoComplete="organization"
          />
          <TextInput {...text("vat_id")} label={t`VAT ID`} autoComplete="off" spellCheck={false} />
        </div>
        {isAsStored ? <VatIdState check={profile.vat_id_check} /> : null}
        <div className={classes["save"]}>
          <ActionButton type="submit" disabled={!dirty} loading={save.isPending}>
            <Trans>Save</Trans>
          </ActionButton>
          <p aria-live="polite">
            {dirty ? <Trans>Unsaved changes</Trans> : <Trans>Everything is saved.</Trans>}
          </p>
        </div>
      </Panel>
    </form>
  );
}

/** Every country by its name in the user's language. */
function CountryField(props: ComponentProps<typeof NativeSelect>) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const countries = useMemo(
    () =>
      countryCodes
        .map((code) => ({ value: code, label: countryName(code, locale) }))
        .toSorted((a, b) => a.label.localeCompare(b.label, locale)),
    [locale],
  );
  return (
    <NativeSelect
      {...props}
      label={t`Country`}
      autoComplete="country"
      withAsterisk
      data={[{ value: "", label: t`Select a country` }, ...countries]}
    />
  );
}
