import { Trans } from "@lingui/react/macro";
import type { VatIdCheck } from "@palisade/contract/http/vat";
import { day } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Status, type Tone } from "#src/ui/status.tsx";
import classes from "../profile.module.css";

const tones = {
  waiting: "idle",
  confirmed: "protected",
  refused: "danger",
} as const satisfies Record<Exclude<VatIdCheck["state"], "not_checked">, Tone>;

/** What VIES, the register of the EU, has said about the stored VAT id, and what follows from it. */
export function VatIdState({ check }: { check: VatIdCheck }) {
  const { locale } = useLocale();
  const { state, answered_at: answeredAt } = check;
  if (state === "not_checked") return null;
  const on = answeredAt === null ? "" : day(locale, new Date(answeredAt));
  return (
    <div className={classes["vat-state"]}>
      <Status tone={tones[state]}>
        {state === "confirmed" ? (
          <Trans>Confirmed by VIES on {on}</Trans>
        ) : state === "refused" ? (
          <Trans>Not confirmed by VIES on {on}</Trans>
        ) : (
          <Trans>VIES has not answered yet</Trans>
        )}
      </Status>
      <p className={classes["note"]}>
        {state === "confirmed" ? (
          <Trans>
            Your purchases have no VAT: your company owes it in your country (reverse charge).
          </Trans>
        ) : state === "refused" ? (
          <Trans>
            Your purchases are charged with VAT. Check the number and your country: we ask VIES
            again in a week, and at once after a change.
          </Trans>
        ) : (
          <Trans>
            We ask VIES, the register of the EU, until it answers. Until then your purchases are
            charged with VAT.
          </Trans>
        )}
      </p>
    </div>
  );
}
