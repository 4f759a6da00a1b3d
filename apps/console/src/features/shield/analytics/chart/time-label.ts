import type { Locale } from "@palisade/contract/texts/locale";
import { clock } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";

const tags: Record<Locale, string> = { en: "en-GB", ru: "ru-RU" };

/** Labels of an axis: the hour, or the day where ticks are days or begin one. */
export function useTickLabel(): (timeMs: number, isDay: boolean) => string {
  const { locale } = useLocale();
  const days = new Intl.DateTimeFormat(tags[locale], { day: "numeric", month: "short" });
  return (timeMs, isDay) => {
    const time = new Date(timeMs);
    const startsDay = time.getHours() === 0 && time.getMinutes() === 0;
    return isDay || startsDay ? days.format(time) : clock(locale, time);
  };
}

/** A chosen time: with its day, because a range may cover several. */
export function useTimeLabel(): (timeMs: number) => string {
  const { locale } = useLocale();
  const format = new Intl.DateTimeFormat(tags[locale], {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (timeMs) => format.format(new Date(timeMs));
}
