import {
  statusDays,
  type StatusComponent,
  type UptimeDay,
} from "@palisade/contract/http/status-page";
import type { Locale } from "@palisade/contract/texts/locale";
import { escapeHtml } from "#src/platform/mail/layout.ts";
import { dateInUtc } from "../status-words.ts";
import { dayBefore } from "../uptime.service.ts";
import { fill, statusTexts, type StatusText } from "./status-texts.ts";

export type DayLevel = "ok" | "warn" | "bad" | "none";

/** From so many minutes down a day is shown as bad. */
const badMinutes = 60;
const step = 10;
const width = 7;
const height = 32;
/** A worse day has a lower bar: colours alone do not tell everyone. */
const heights = { ok: height, warn: 24, bad: 14, none: height } as const satisfies Record<
  DayLevel,
  number
>;

export function dayLevel(day: UptimeDay | undefined): DayLevel {
  if (day === undefined || day.up + day.down === 0) return "none";
  if (day.down >= badMinutes) return "bad";
  return day.down > 0 || day.partial > 0 ? "warn" : "ok";
}

/** Shown with two digits, never rounded up. */
export function formatPercent(percent: number, locale: Locale): string {
  const digits = percent === 100 ? 0 : 2;
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: 2,
  }).format(percent);
}

/** A bar for each day, the newest at the right, with its minutes as a tooltip. */
export function renderBars(component: StatusComponent, now: Date, locale: Locale): string {
  const text = statusTexts[locale];
  const byDay = new Map(component.days.map((day) => [day.day, day]));
  const bars = Array.from({ length: statusDays }, (_, index) => {
    const day = dayBefore(now, statusDays - 1 - index);
    const counted = byDay.get(day);
    const tip = escapeHtml(dayText(text, counted, dateInUtc(day, locale)));
    const level = dayLevel(counted);
    const size = `y="${height - heights[level]}" width="${width}" height="${heights[level]}"`;
    return `<rect class="${level}" x="${index * step}" ${size} rx="2"><title>${tip}</title></rect>`;
  });
  const uptime = uptimeText(component, locale);
  const label = escapeHtml(fill(text.bars, { name: component.name[locale], uptime }));
  const box = `0 0 ${statusDays * step - (step - width)} ${height}`;
  return `<svg class="bars" role="img" aria-label="${label}" viewBox="${box}" preserveAspectRatio="none">${bars.join("")}</svg>
<p class="span"><span>${text.daysAgo}</span><b>${escapeHtml(uptime)}</b><span>${text.today}</span></p>
${renderDownDays(component, locale)}`;
}

function uptimeText({ uptime }: StatusComponent, locale: Locale): string {
  const text = statusTexts[locale];
  if (uptime === null) return text.notMeasured;
  return fill(text.uptime, { percent: formatPercent(uptime, locale) });
}

/** For those who cannot see or point at the bars. */
function renderDownDays({ days }: StatusComponent, locale: Locale): string {
  const text = statusTexts[locale];
  const down = days.filter((day) => day.down > 0 || day.partial > 0).toReversed();
  if (down.length === 0) return "";
  const rows = down.map(
    (day) => `<li>${escapeHtml(dayText(text, day, dateInUtc(day.day, locale)))}</li>`,
  );
  return `<details class="days"><summary>${escapeHtml(fill(text.downDays, { count: down.length }))}</summary><ul>${rows.join("")}</ul></details>`;
}

function dayText(text: StatusText, counted: UptimeDay | undefined, day: string): string {
  if (counted === undefined || counted.up + counted.down === 0) return fill(text.dayNone, { day });
  if (counted.down > 0) return fill(text.dayDown, { day, minutes: counted.down });
  if (counted.partial > 0) return fill(text.dayPartial, { day, minutes: counted.partial });
  return fill(text.dayOk, { day });
}
