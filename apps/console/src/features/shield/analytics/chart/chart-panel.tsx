import { useLingui } from "@lingui/react/macro";
import { IconChartLine, IconPhotoDown, IconTable } from "@tabler/icons-react";
import { useMemo, type ReactNode } from "react";
import { IconButton } from "#src/ui/icon-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { ChartLegend } from "./chart-legend.tsx";
import classes from "./chart.module.css";
import { CursorLayer } from "./cursor-layer.tsx";
import { drawingOf } from "./drawing.ts";
import { Plot, TimeAxis } from "./plot.tsx";
import type { ChartMark, ChartSeries, ChartTimes } from "./series.ts";
import { ValueTable } from "./value-table.tsx";

export interface ChartPanelProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly className?: string | undefined;
  readonly times: ChartTimes;
  readonly series: readonly ChartSeries[];
  readonly marks: readonly ChartMark[];
  readonly hidden: ReadonlySet<string>;
  readonly isStacked?: boolean;
  readonly isWhole?: boolean;
  readonly isTable: boolean;
  readonly height?: number;
  readonly format: (value: number) => string;
  /** Replaces the chart where there is nothing to draw. */
  readonly empty: string;
  readonly onZoom: (from: number, to: number) => void;
  readonly onToggle: (id: string) => void;
  readonly onTable: () => void;
  readonly onSave: () => void;
}

/** A chart with its legend, or its values as a table. */
export function ChartPanel(props: ChartPanelProps) {
  const { title, note, className, times, series, marks, hidden, format, empty } = props;
  const { isStacked = false, isWhole = false, isTable, height = 170 } = props;
  const { t } = useLingui();
  const drawing = useMemo(
    () => drawingOf({ series, hidden, isStacked, isWhole, height }),
    [series, hidden, isStacked, isWhole, height],
  );
  const isEmpty = series.every(({ values }) => values.every((value) => value === null));
  const describe = useDescription(series, hidden, marks, times, format);
  return (
    <Panel
      title={title}
      note={note}
      className={className}
      aside={
        isEmpty ? undefined : (
          <span className={classes["tools"]}>
            <IconButton
              hint={isTable ? t`Show the chart` : t`Show a table`}
              label={isTable ? t`Show the chart ${title}` : t`Show ${title} as a table`}
              icon={
                isTable ? (
                  <IconChartLine size={16} stroke={1.6} />
                ) : (
                  <IconTable size={16} stroke={1.6} />
                )
              }
              onClick={props.onTable}
            />
            <IconButton
              hint={t`Save as PNG`}
              label={t`Save ${title} as PNG`}
              icon={<IconPhotoDown size={16} stroke={1.6} />}
              onClick={props.onSave}
            />
          </span>
        )
      }
    >
      {isEmpty ? (
        <p className={classes["empty"]} style={{ minHeight: height }}>
          {empty}
        </p>
      ) : (
        <>
          <ChartLegend series={series} hidden={hidden} format={format} onToggle={props.onToggle} />
          {isTable ? (
            <ValueTable title={title} times={times} series={series} format={format} />
          ) : (
            <div className={classes["chart"]}>
              <CursorLayer label={title} times={times} describe={describe} onZoom={props.onZoom}>
                <Plot
                  drawing={drawing}
                  times={times}
                  marks={marks}
                  isStacked={isStacked}
                  height={height}
                  format={format}
                />
              </CursorLayer>
              <TimeAxis times={times} />
            </div>
          )}
        </>
      )}
    </Panel>
  );
}

/** The values of all shown series at a time in words, and the marks that are there. */
function useDescription(
  series: readonly ChartSeries[],
  hidden: ReadonlySet<string>,
  marks: readonly ChartMark[],
  times: ChartTimes,
  format: (value: number) => string,
): (index: number) => string {
  const { t } = useLingui();
  return (index) => {
    const values = series
      .filter(({ id }) => !hidden.has(id))
      .map(({ label, values: all }) => {
        const value = all[index] ?? null;
        return `${label} ${value === null ? t`no data` : format(value)}`;
      });
    const start = times[index] ?? 0;
    const end = times[index + 1] ?? Infinity;
    const events = marks
      .filter(({ startMs, endMs, kind }) => {
        if (kind === "change") return startMs >= start && startMs < end;
        return startMs < end && (endMs ?? Infinity) >= start;
      })
      .map(({ text }) => text);
    return [...values, ...events].join("; ");
  };
}
