import { Trans, useLingui } from "@lingui/react/macro";
import { ScrollRegion } from "#src/ui/scroll-region.tsx";
import { Table } from "#src/ui/table.tsx";
import classes from "./chart.module.css";
import type { ChartSeries, ChartTimes } from "./series.ts";
import { useTimeLabel } from "./time-label.ts";

interface ValueTableProps {
  readonly title: string;
  readonly times: ChartTimes;
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
}

/** The values of a chart, the newest first. */
export function ValueTable({ title, times, series, format }: ValueTableProps) {
  const { t } = useLingui();
  const timeLabel = useTimeLabel();
  const columns = [
    { key: "time", name: <Trans>Time</Trans> },
    ...series.map(({ id, label }) => ({ key: id, name: label, right: true })),
  ];
  return (
    <ScrollRegion className={classes["table"]} label={t`Values of the chart ${title}`}>
      <Table label={title} columns={columns} dense>
        {times
          .map((time, index) => (
            <tr key={time}>
              <td>{timeLabel(time)}</td>
              {series.map(({ id, values }) => {
                const value = values[index] ?? null;
                return (
                  <td key={id} data-right>
                    {value === null ? t`no data` : format(value)}
                  </td>
                );
              })}
            </tr>
          ))
          .toReversed()}
      </Table>
    </ScrollRegion>
  );
}
