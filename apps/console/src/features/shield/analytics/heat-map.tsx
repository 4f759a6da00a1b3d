import { Trans, useLingui } from "@lingui/react/macro";
import { useRef, useState, type KeyboardEvent } from "react";
import { count, rate } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./heat-map.module.css";
import { IntensityLegend } from "./intensity/intensity-legend.tsx";
import { intensityOf } from "./intensity/intensity.ts";
import intensity from "./intensity/intensity.module.css";
import { inZone, type Values } from "./values.ts";

interface HeatMapProps {
  readonly label: string;
  /** For each hour of the week in UTC, from Monday 0:00. */
  readonly hours: Values;
}

const hoursOfDay = 24;
/** A year that began with a Monday. */
const year = 2024;

/** The hours of a week in the reader's zone, days below each other. Arrow keys read the values. */
export function HeatMap({ label, hours }: HeatMapProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const [chosen, setChosen] = useState<number | null>(null);
  const [reached, setReached] = useState(0);
  const grid = useRef<HTMLDivElement>(null);
  const [offset] = useState(() => -new Date().getTimezoneOffset());
  const local = inZone(hours, offset);
  const days = useDays();
  const most = Math.max(0, ...local.map((value) => value ?? 0));
  const describe = (index: number) => {
    const value = local[index] ?? null;
    const hour = String(index % hoursOfDay).padStart(2, "0");
    const amount =
      value === null ? t`no data` : value < 10 ? rate(locale, value) : count(locale, value);
    return `${days.long[Math.floor(index / hoursOfDay)]} ${hour}:00: ${amount}`;
  };

  function move(event: KeyboardEvent) {
    const steps: Partial<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -hoursOfDay,
      ArrowDown: hoursOfDay,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = reached + step;
    if (next < 0 || next >= local.length) return;
    setReached(next);
    grid.current?.querySelector<HTMLElement>(`[data-hour="${next}"]`)?.focus();
  }

  return (
    <div className={intensity["scaled"]} onPointerLeave={() => setChosen(null)}>
      <div ref={grid} className={classes["map"]} role="grid" aria-label={label}>
        <div role="row">
          <span role="columnheader">
            <span className="visually-hidden">{t`Day`}</span>
          </span>
          {Array.from({ length: hoursOfDay }, (_, hour) => (
            <span key={hour} role="columnheader">
              <span className={hour % 6 === 0 ? undefined : "visually-hidden"}>
                {String(hour).padStart(2, "0")}
              </span>
            </span>
          ))}
        </div>
        {days.short.map((day, row) => (
          <div key={day} role="row">
            <span role="rowheader">{day}</span>
            {local.slice(row * hoursOfDay, (row + 1) * hoursOfDay).map((value, column) => {
              const index = row * hoursOfDay + column;
              return (
                <span
                  key={index}
                  role="gridcell"
                  tabIndex={index === reached ? 0 : -1}
                  data-hour={index}
                  data-intensity={value === null ? undefined : intensityOf(value, most)}
                  aria-label={describe(index)}
                  onKeyDown={move}
                  onPointerEnter={() => setChosen(index)}
                  onFocus={() => {
                    setReached(index);
                    setChosen(index);
                  }}
                  onBlur={() => setChosen(null)}
                />
              );
            })}
          </div>
        ))}
      </div>
      <div className={classes["caption"]}>
        <span>{chosen === null ? <Trans>In your time zone.</Trans> : describe(chosen)}</span>
        <IntensityLegend />
      </div>
    </div>
  );
}

function useDays(): { readonly short: readonly string[]; readonly long: readonly string[] } {
  const { locale } = useLocale();
  const week = Array.from({ length: 7 }, (_, day) => new Date(year, 0, 1 + day));
  const named = (weekday: "short" | "long") => {
    const format = new Intl.DateTimeFormat(locale, { weekday });
    return week.map((day) => format.format(day));
  };
  return { short: named("short"), long: named("long") };
}
