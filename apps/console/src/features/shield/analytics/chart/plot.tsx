import { useLingui } from "@lingui/react/macro";
import { memo, useId } from "react";
import { partOf } from "./chart-geometry.ts";
import classes from "./chart.module.css";
import { plotWidth, type Drawing } from "./drawing.ts";
import type { ChartMark, ChartTimes } from "./series.ts";
import { useTickLabel } from "./time-label.ts";
import { timeTicks } from "./time-ticks.ts";

interface PlotProps {
  readonly drawing: Drawing;
  readonly times: ChartTimes;
  readonly marks: readonly ChartMark[];
  readonly isStacked: boolean;
  readonly height: number;
  readonly format: (value: number) => string;
}

/** The still part of a chart: axes, marks and series. It is drawn again when the data changes. */
export const Plot = memo(function Plot(props: PlotProps) {
  const { drawing, times, marks, isStacked, height, format } = props;
  const gradient = useId();
  const { axis, gaps, shapes } = drawing;
  const y = (value: number) => height - (value / axis.top) * height;
  return (
    <>
      <svg
        className={classes["plot"]}
        style={{ height }}
        viewBox={`0 0 ${plotWidth} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <defs>
          <pattern id={`${gradient}gap`} width="6" height="6" patternUnits="userSpaceOnUse">
            <path className={classes["hatch"]} d="M0 6L6 0" />
          </pattern>
          {shapes.map(({ id, colour }, index) => (
            <linearGradient
              key={id}
              id={`${gradient}${index}`}
              className={classes[colour]}
              x1="0"
              y1="0"
              x2="0"
              y2="1"
            >
              <stop offset="0" stopColor="var(--series)" stopOpacity="0.26" />
              <stop offset="1" stopColor="var(--series)" stopOpacity="0.02" />
            </linearGradient>
          ))}
        </defs>
        {axis.ticks.map((tick) => (
          <line
            key={tick}
            className={classes["grid"]}
            x1={0}
            x2={plotWidth}
            y1={y(tick)}
            y2={y(tick)}
          />
        ))}
        {gaps.map(({ from, to }) => (
          <rect
            key={from}
            x={from * plotWidth}
            width={(to - from) * plotWidth}
            height={height}
            fill={`url(#${gradient}gap)`}
          />
        ))}
        <Marks marks={marks} times={times} height={height} />
        {shapes.map(({ id, colour, area, line }, index) => (
          <g key={id} className={classes[colour]}>
            {area === null ? null : (
              <path
                d={area}
                fill={isStacked ? "var(--series)" : `url(#${gradient}${index})`}
                fillOpacity={isStacked ? 0.5 : 1}
              />
            )}
            <path className={classes["line"]} d={line} />
          </g>
        ))}
      </svg>
      {axis.ticks.map((tick) => (
        <span key={tick} className={classes["valueTick"]} style={{ top: y(tick) }}>
          {wrappable(format(tick))}
        </span>
      ))}
    </>
  );
});

/** Beside a narrow chart the unit may stand below the number; a browser would break it at its slash. */
function wrappable(label: string): string {
  return label.replaceAll(/[\u00a0\u202f](?=\p{L})/gu, " ").replaceAll("/", "\u2060/\u2060");
}

function Marks({ marks, times, height }: Pick<PlotProps, "marks" | "times" | "height">) {
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  return marks
    .filter(({ startMs, endMs, kind }) => {
      const end = kind === "change" ? startMs : (endMs ?? Infinity);
      return startMs <= last && end >= first;
    })
    .map(({ id, kind, startMs, endMs }) => {
      const from = partOf(startMs, times) * plotWidth;
      if (kind === "change") {
        return (
          <line key={id} className={classes["change"]} x1={from} x2={from} y1={0} y2={height} />
        );
      }
      const to = partOf(endMs ?? last, times) * plotWidth;
      return (
        <g key={id} className={classes["attackBand"]}>
          <rect x={from} width={Math.max(2, to - from)} height={height} />
          <rect data-edge x={from} width={Math.max(2, to - from)} height={3} />
        </g>
      );
    });
}

/** The times under a chart. */
export function TimeAxis({ times }: { readonly times: ChartTimes }) {
  const { i18n } = useLingui();
  const label = useTickLabel();
  const ticks = timeTicks(times[0] ?? 0, times.at(-1) ?? 0, 8);
  return (
    <div className={classes["timeAxis"]} lang={i18n.locale} aria-hidden="true">
      {ticks.times.map((time) => (
        <span key={time} style={{ left: `${partOf(time, times) * 100}%` }}>
          {label(time, ticks.areDays)}
        </span>
      ))}
    </div>
  );
}
