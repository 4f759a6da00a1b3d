import { useLingui } from "@lingui/react/macro";
import type { Attack } from "@palisade/contract/http/attacks";
import { count, perSecond } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";

type Peaks = Pick<Attack, "peak_per_second" | "datagrams_peak">;

/** Datagrams of Bedrock alone are the attack: it has no logins, and its senders say nothing. */
export function isOfDatagrams({ peak_per_second: logins, datagrams_peak: datagrams }: Peaks) {
  return logins === 0 && datagrams > 0;
}

/** The strongest second of an attack: of logins, and of Bedrock datagrams where they were one. */
export function usePeakText(): (attack: Peaks) => string {
  const { t } = useLingui();
  const { locale } = useLocale();
  return (attack) => {
    const rate = perSecond(locale, attack.peak_per_second);
    if (attack.datagrams_peak === 0) return rate;
    const amount = count(locale, attack.datagrams_peak);
    const flood = t`${amount} Bedrock datagrams/s`;
    return isOfDatagrams(attack) ? flood : `${rate}, ${flood}`;
  };
}

/** The same as figures with their names. */
export function usePeakFigures(attack: Peaks): { readonly name: string; readonly value: string }[] {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { peak_per_second: logins, datagrams_peak: datagrams } = attack;
  return [
    ...(isOfDatagrams(attack) ? [] : [{ name: t`Peak`, value: perSecond(locale, logins) }]),
    ...(datagrams > 0
      ? [{ name: t`Peak, Bedrock datagrams`, value: perSecond(locale, datagrams) }]
      : []),
  ];
}
