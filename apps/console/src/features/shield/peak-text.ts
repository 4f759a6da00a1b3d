import { useLingui } from "@lingui/react/macro";
import type { Attack } from "@palisade/contract/http/attacks";
import { count, perSecond } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";

/** The strongest second of an attack: of logins, and of Bedrock datagrams where they were one. */
export function usePeakText(): (
  attack: Pick<Attack, "peak_per_second" | "datagrams_peak">,
) => string {
  const { t } = useLingui();
  const { locale } = useLocale();
  return ({ peak_per_second: logins, datagrams_peak: datagrams }) => {
    const rate = perSecond(locale, logins);
    if (datagrams === 0) return rate;
    const amount = count(locale, datagrams);
    const flood = t`${amount} Bedrock datagrams/s`;
    return logins === 0 ? flood : `${rate}, ${flood}`;
  };
}
