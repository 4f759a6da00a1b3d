import type { Locale } from "@palisade/contract/texts/locale";

interface Course {
  readonly from: string;
  readonly step_seconds: number;
}

/** When each point begins. */
export function courseTimes(
  course: Course & ({ readonly peaks: readonly number[] } | { readonly online: readonly number[] }),
): Date[] {
  const { length } = "peaks" in course ? course.peaks : course.online;
  const begin = Date.parse(course.from);
  return Array.from(
    { length },
    (_, index) => new Date(begin + index * course.step_seconds * 1_000),
  );
}

const hourSeconds = 3_600;

/** As exact as the course: seconds for short ones, the day for long ones. */
export function timeOfDay(locale: Locale, time: Date, { step_seconds: step }: Course): string {
  const format: Intl.DateTimeFormatOptions = {
    hour: "2-digit",
    minute: "2-digit",
    ...(step < 60 ? { second: "2-digit" } : {}),
    ...(step >= hourSeconds / 6 ? { day: "numeric", month: "short" } : {}),
  };
  return new Intl.DateTimeFormat(locale === "ru" ? "ru-RU" : "en-GB", format).format(time);
}
