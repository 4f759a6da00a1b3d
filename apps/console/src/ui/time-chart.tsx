import { useId, useState, type PointerEvent } from "react";
import { useLingui } from "@lingui/react/macro";
import { areaPath, linePath, nearestIndex, niceCeiling, points } from "#src/lib/chart-scale.ts";
import { clock } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./chart.module.css";
import type { SeriesTone } from "./sparkline.tsx";

export interface Series {
  readonly label: string;
  readonly tone: SeriesTone;
  readonly values: readonly number[];
}

interface TimeChartProps {
  readonly label: string;
  /** Times of the values, oldest first; every series has the same length. */
  readonly times: readonly Date[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  readonly height?: number;
  /** For the axis and the pointer; the minute by default. */
  readonly formatTime?: (time: Date) => string;
  /** The last value is not of now. */
  readonly isPast?: boolean;
}

const width = 600;

/** Lines over time. The legend shows the values under the pointer, or else the newest ones. */
export function TimeChart(props: TimeChartProps) {
  const { label, times, series, format, height = 150, isPast = false } = props;
  const { t } = useLingui();
  const { locale } = useLocale();
  const { formatTime = (time: Date) => clock(locale, time) } = props;
  const gradient = useId();
  const [hovered, setHovered] = useState<number | null>(null);
  const box = { width, height };
  const top = niceCeiling(Math.max(0, ...series.flatMap(({ values }) => values)));
  const shown = hovered ?? times.length - 1;
  const shownTime = times[shown];
  const lastTime = times.at(-1);

  function follow(event: PointerEvent<SVGSVGElement>) {
    const { left, width: drawn } = event.currentTarget.getBoundingClientRect();
    setHovered(nearestIndex(event.clientX - left, drawn, times.length));
  }

  return (
    <figure className={classes["chart"]} style={{ margin: 0 }}>
      <figcaption className={classes["legend"]}>
        {series.map(({ label: name, tone, values }) => (
          <span key={name} className={`${classes["key"]} ${classes[tone]}`}>
            {name} {format(values[shown] ?? 0)}
          </span>
        ))}
        {hovered === null && series.length === 1 ? (
          <span>
            {t`peak`} {format(Math.max(0, ...(series[0]?.values ?? [])))}
          </span>
        ) : null}
        {hovered !== null && shownTime ? <span>{formatTime(shownTime)}</span> : null}
      </figcaption>
      <div className={classes["chart"]} style={{ marginTop: 20 }}>
        <svg
          className={classes["plot"]}
          style={{ height }}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${label}: ${summary(series, format)}`}
          onPointerMove={follow}
          onPointerLeave={() => setHovered(null)}
        >
          {[0, 0.25, 0.5, 0.75, 1].map((part) => (
            <line
              key={part}
              className={classes["grid"]}
              x1={0}
              x2={width}
              y1={part * height}
              y2={part * height}
            />
          ))}
          {series.map(({ label: name, tone, values }, index) => {
            const path = points(values, top, box);
            return (
              <g key={name} className={classes[tone]}>
                <linearGradient id={`${gradient}${index}`} x1="0" y1="0" x2="0" y2="1">
                  <stop offset="0" stopColor="var(--series)" stopOpacity="0.28" />
                  <stop offset="1" stopColor="var(--series)" stopOpacity="0" />
                </linearGradient>
                <path d={areaPath(path, box)} fill={`url(#${gradient}${index})`} />
                <path className={classes["line"]} d={linePath(path)} />
              </g>
            );
          })}
          {hovered === null ? null : (
            <line
              className={classes["cursor"]}
              x1={cursorX(hovered, times.length)}
              x2={cursorX(hovered, times.length)}
              y1={0}
              y2={height}
            />
          )}
        </svg>
        <span className={classes["top"]}>{format(top)}</span>
      </div>
      <div className={classes["axis"]} aria-hidden="true">
        {axisTimes(times).map((time) => (
          <span key={time.getTime()}>{formatTime(time)}</span>
        ))}
        <span>{isPast && lastTime ? formatTime(lastTime) : t`now`}</span>
      </div>
    </figure>
  );
}

function cursorX(index: number, length: number): number {
  return (index / Math.max(1, length - 1)) * width;
}

/** Marks at each quarter; the last one is 'now'. */
function axisTimes(times: readonly Date[]): Date[] {
  return [0, 0.25, 0.5, 0.75].flatMap((part) => {
    const time = times[Math.round(part * (times.length - 1))];
    return time ? [time] : [];
  });
}

function summary(series: readonly Series[], format: (value: number) => string): string {
  return series
    .map(
      ({ label, values }) =>
        `${label} ${format(values.at(-1) ?? 0)}, max ${format(Math.max(0, ...values))}`,
    )
    .join("; ");
}
