import { useLingui } from "@lingui/react/macro";
import classes from "./chart.module.css";
import { useCursor } from "./cursor.ts";
import type { ChartSeries } from "./series.ts";

interface ChartLegendProps {
  readonly series: readonly ChartSeries[];
  readonly hidden: ReadonlySet<string>;
  readonly format: (value: number) => string;
  readonly onToggle: (id: string) => void;
}

/** Names the series, shows their values at the chosen time, and switches them off and on. */
export function ChartLegend({ series, hidden, format, onToggle }: ChartLegendProps) {
  const { t } = useLingui();
  const index = useCursor((state) => state.index);
  return (
    <ul className={classes["legend"]} aria-label={t`Series`}>
      {series.map(({ id, label, colour, values, total }) => {
        const value = index === null ? undefined : values[Math.min(index, values.length - 1)];
        const shown = value === undefined ? total : value === null ? "–" : format(value);
        return (
          <li key={id}>
            <button
              type="button"
              className={`${classes["key"]} ${classes[colour]}`}
              aria-pressed={!hidden.has(id)}
              onClick={() => onToggle(id)}
            >
              <span className={classes["swatch"]} />
              {label}
              {shown === undefined ? null : <b>{shown}</b>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
