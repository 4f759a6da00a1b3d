import type { IncidentState } from "@palisade/contract/http/status-page";
import type { Locale } from "@palisade/contract/texts/locale";

/** States of incidents and maintenances, for the page, mails and feeds. */
export const stateWords: Readonly<Record<Locale, Readonly<Record<IncidentState, string>>>> = {
  en: {
    investigating: "Investigating",
    identified: "Cause found",
    monitoring: "Watching the fix",
    resolved: "Resolved",
    scheduled: "Planned",
    in_progress: "In progress",
    completed: "Completed",
    cancelled: "Cancelled",
  },
  ru: {
    investigating: "Выясняем причину",
    identified: "Причина найдена",
    monitoring: "Наблюдаем за исправлением",
    resolved: "Устранено",
    scheduled: "Запланировано",
    in_progress: "Идёт",
    completed: "Завершено",
    cancelled: "Отменено",
  },
};

/** `26 November 2026, 20:15 UTC`: the page and mails are read in many zones. */
export function timeInUtc(iso: string, locale: Locale): string {
  return `${dateInUtc(iso, locale)}, ${clockInUtc(iso, locale)}`;
}

export function clockInUtc(iso: string, locale: Locale): string {
  const options = { hour: "2-digit", minute: "2-digit", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(formatOf(locale), options).format(new Date(iso))} UTC`;
}

export function dateInUtc(iso: string, locale: Locale): string {
  const options = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(formatOf(locale), options).format(new Date(iso));
}

function formatOf(locale: Locale): string {
  return locale === "en" ? "en-GB" : locale;
}
