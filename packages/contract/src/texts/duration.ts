import type { Locale } from "./locale.ts";

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** The two largest units, such as `2 min 14 sec`; never below zero. */
export function duration(locale: Locale, milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const largest = units.findIndex(([, size]) => seconds >= size);
  const shown = largest === -1 ? units.slice(-1) : units.slice(largest, largest + 2);
  return shown
    .map(([unit, size], index) => {
      const above = index === 0 ? Infinity : (shown[index - 1]?.[1] ?? Infinity);
      const amount = Math.floor((above === Infinity ? seconds : seconds % above) / size);
      return { unit, amount, index };
    })
    .filter(({ amount, index }) => index === 0 || amount > 0)
    .map(({ unit, amount }) =>
      new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(amount),
    )
    .join(" ");
}
