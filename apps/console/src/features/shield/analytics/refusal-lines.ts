import { msg } from "@lingui/core/macro";
import type { AnalyticsSeries, AnalyticsTotals } from "@palisade/contract/http/analytics";
import { refusalLabels } from "../mitigation/refusal-labels.ts";
import { line, type Format, type Line } from "./chart-line.ts";
import type { SeriesColour } from "./chart/series.ts";
import { refusalsOf } from "./refusals.ts";
import { zerosWhereKnown } from "./values.ts";

/** The most frequent reasons get a colour of their own. */
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
  format: Format,
): Line[] {
  const { named, others } = refusalsOf(series, totals, colours.length);
  if (named.length === 0) {
    const zeros = zerosWhereKnown(series.joins);
    return [line("refused_none", msg`refused`, "attack", zeros, 0, format)];
  }
  const lines = named.map(({ reason, values, total }, index) => {
    const colour = colours[index] ?? "neutral";
    return line(`refused_${reason}`, refusalLabels[reason], colour, values, total, format);
  });
  if (others === null) return lines;
  const { values, total } = others;
  return [...lines, line("refused_others", msg`other reasons`, "neutral", values, total, format)];
}
