import { Panel } from "#src/ui/panel.tsx";
import { TimeChart, type Series } from "#src/ui/time-chart.tsx";
import classes from "./overview.module.css";

interface GraphPanelProps {
  readonly title: string;
  /** The live figure. */
  readonly value: string;
  readonly times: readonly Date[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

export function GraphPanel({ title, value, times, series, format }: GraphPanelProps) {
  return (
    <Panel title={title}>
      <p className={classes["figure"]}>{value}</p>
      <TimeChart label={title} times={times} series={series} format={format} height={150} />
    </Panel>
  );
}
