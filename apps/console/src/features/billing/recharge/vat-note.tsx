import { Trans } from "@lingui/react/macro";
import { countryName } from "@palisade/contract/http/country-rules";
import type { CallerVat } from "@palisade/contract/http/vat";
import { taxRate } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./recharge.module.css";

/** Says what comes on top of the price of a plan that is paid from the balance. */
export function VatNote({ vat }: { vat: CallerVat | undefined }) {
  return (
    <p className={classes["hint"]}>
      <Trans>Plan prices are net.</Trans> {vat === undefined ? null : <OnTop vat={vat} />}
    </p>
  );
}

function OnTop({ vat }: { vat: CallerVat }) {
  const { locale } = useLocale();
  switch (vat.treatment) {
    case "none":
      return <Trans>No VAT comes on top.</Trans>;
    case "reverse_charge":
      return (
        <Trans>
          VIES confirmed your VAT ID, so no VAT comes on top: you owe it in your country (reverse
          charge).
        </Trans>
      );
    case "outside":
      return <Trans>You buy from outside the EU, so no VAT comes on top.</Trans>;
    case "domestic":
    case "destination": {
      const rate = taxRate(locale, vat.rate);
      const country = vat.country === null ? "" : countryName(vat.country, locale);
      return (
        <Trans>
          When you buy a plan, {rate} VAT comes on top ({country}). A top-up itself has no tax.
        </Trans>
      );
    }
  }
}
