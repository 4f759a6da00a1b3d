import { useLingui } from "@lingui/react/macro";
import type { Analytics } from "@palisade/contract/http/analytics";
import { useEffect, useMemo } from "react";
import { useLocale } from "#src/lib/preferences.ts";
import { saveFile } from "#src/lib/save-file.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { ShieldSearch } from "../shield-search.ts";
import classes from "./analytics.module.css";
import { chartsOf, type ChartDefinition } from "./chart-definitions.ts";
import { chartImage } from "./chart/chart-image.ts";
import { ChartPanel } from "./chart/chart-panel.tsx";
import { ChartHelp } from "./chart/cursor-layer.tsx";
import { useCursor } from "./chart/cursor.ts";
import type { ChartMark, ChartSeries } from "./chart/series.ts";
import { useTickLabel } from "./chart/time-label.ts";
import { periodText } from "./format.ts";
import { listOf, toggled } from "./period.ts";

interface ChartsProps {
  readonly shieldName: string;
  readonly data: Analytics;
  readonly marks: readonly ChartMark[];
  readonly readAtMs: number;
  readonly search: ShieldSearch;
  readonly onShow: (change: Partial<ShieldSearch>, replace?: boolean) => void;
}

/** All charts of the page over the same times. */
export function Charts({ shieldName, data, marks, readAtMs, search, onShow }: ChartsProps) {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const tickLabel = useTickLabel();
  const stepMs = data.step_seconds * 1_000;
  const times = useMemo(() => data.times.map((time) => Date.parse(time)), [data.times]);
  const charts = useMemo(
    () =>
      chartsOf(data, { times, stepMs, nowMs: readAtMs }, locale).map((chart) => ({
        ...chart,
        series: chart.lines.map((line): ChartSeries => ({ ...line, label: i18n._(line.label) })),
      })),
    [data, times, stepMs, readAtMs, locale, i18n],
  );
  const hidden = useMemo(() => listOf(search.hidden), [search.hidden]);
  const tables = listOf(search.tables);
  useEffect(() => () => useCursor.getState().choose(null), []);

  function zoom(from: number, to: number) {
    const start = times[from];
    const end = times[to];
    if (start === undefined || end === undefined) return;
    const { range = "24h", back } = search;
    onShow({
      range: "custom",
      from: new Date(start).toISOString(),
      to: new Date(Math.min(Date.now(), end + stepMs)).toISOString(),
      back: range === "custom" ? back : range,
    });
  }

  function savePicture(chart: ChartDefinition & { readonly series: readonly ChartSeries[] }) {
    const { id, isStacked = false, isWhole = false, series, format } = chart;
    const subtitle = `${shieldName} · ${periodText(locale, data.from, data.to)}`;
    const title = i18n._(chart.title);
    const words = { title, subtitle, format, tickLabel };
    chartImage({ ...words, times, series, marks, hidden, isStacked, isWhole }).then(
      (picture) => saveFile(`palisade-${id}.png`, picture),
      () => toast("error", t`Failed to make the picture`),
    );
  }

  const panels = charts.map((chart) => (
    <ChartPanel
      key={chart.id}
      title={i18n._(chart.title)}
      className={chart.isWide === true ? classes["wide"] : undefined}
      times={times}
      series={chart.series}
      marks={marks}
      hidden={hidden}
      isStacked={chart.isStacked ?? false}
      isWhole={chart.isWhole ?? false}
      isTable={tables.has(chart.id)}
      format={chart.format}
      empty={t`No data in this period.`}
      onZoom={zoom}
      onToggle={(id) => onShow({ hidden: toggled(search.hidden, id) }, true)}
      onTable={() => onShow({ tables: toggled(search.tables, chart.id) }, true)}
      onSave={() => savePicture(chart)}
    />
  ));
  return (
    <>
      <ChartHelp />
      {panels}
    </>
  );
}
