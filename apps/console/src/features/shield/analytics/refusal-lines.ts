import { msg } from "@lingui/core/macro";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import type { AnalyticsSeries, AnalyticsTotals } from "@palisade/contract/http/analytics";
import { refusalLabels } from "../mitigation/refusal-labels.ts";
import type { Line } from "./chart-line.ts";
import type { SeriesColour } from "./chart/series.ts";
import { addAll, zerosWhereKnown } from "./values.ts";

/** The most frequent reasons get a colour of their own; the others are one series. */
const colours: readonly SeriesColour[] = [
  "attack",
  "violet",
  "cyan",
  "pink",
  "accent",
  "protected",
];

/** The refusals of a period by reason, the most frequent first; one line of zeros if there are none. */
export function refusalLines(
  series: Pick<AnalyticsSeries, "refused" | "joins">,
  totals: Pick<AnalyticsTotals, "refused">,
  format: (value: number) => string,
): Line[] {
  const reasons = Object.entries(totals.refused)
    // A key of the record: `entries` widens it.
    .map(([reason, total]) => ({ reason: reason as RefusalReason, total }))
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => b.total - a.total);
  const named = reasons.slice(0, colours.length).map(({ reason, total }, index): Line => {
    const values = series.refused[reason] ?? zerosWhereKnown(series.joins);
    const colour = colours[index] ?? "neutral";
    const label = refusalLabels[reason];
    return { id: `refused_${reason}`, label, colour, values, total: format(total) };
  });
  const rest = reasons.slice(colours.length);
  if (rest.length > 0) {
    named.push({
      id: "refused_others",
      label: msg`other reasons`,
      colour: "neutral",
      values: addAll(rest.map(({ reason }) => series.refused[reason] ?? [])),
      total: format(rest.reduce((sum, { total }) => sum + total, 0)),
    });
  }
  if (named.length > 0) return named;
  return [
    {
      id: "refused_none",
      label: msg`refused`,
      colour: "attack",
      values: zerosWhereKnown(series.joins),
      total: format(0),
    },
  ];
}
