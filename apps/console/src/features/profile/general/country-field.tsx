import { NativeSelect } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { countryCodes, countryName } from "@palisade/contract/http/country-rules";
import { useMemo, type ComponentProps } from "react";
import { useLocale } from "#src/lib/preferences.ts";

/** Every country, by its name in the reader's language. */
export function CountryField(props: ComponentProps<typeof NativeSelect>) {
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
