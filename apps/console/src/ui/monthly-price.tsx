import { Trans } from "@lingui/react/macro";
import { euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";

/** `€9.00 / month` */
export function MonthlyPrice({ cents }: { readonly cents: number }) {
  const { locale } = useLocale();
  return (
    <>
      {euros(locale, cents)}{" "}
      <small>
        <Trans>/ month</Trans>
      </small>
    </>
  );
}
