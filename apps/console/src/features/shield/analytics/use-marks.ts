import type { AnalyticsMark } from "@palisade/contract/http/analytics";
import { useLingui } from "@lingui/react/macro";
import { usePeakText } from "../attack-peaks.ts";
import { areaLabels, useFieldLabel } from "../history/history-labels.ts";
import type { ChartMark } from "./chart/series.ts";

/** The marks of an answer in words, the newest first. */
export function useMarks(marks: readonly AnalyticsMark[]): readonly ChartMark[] {
  const { t, i18n } = useLingui();
  const peakText = usePeakText();
  const fieldLabel = useFieldLabel();
  return marks.map((mark): ChartMark => {
    const startMs = Date.parse(mark.at);
    if (mark.kind === "attack") {
      const peak = peakText(mark);
      const endMs = mark.ended_at === null ? null : Date.parse(mark.ended_at);
      return { id: mark.id, kind: "attack", startMs, endMs, text: t`Attack, peak ${peak}` };
    }
    const area = i18n._(areaLabels[mark.area]);
    const fields = [...new Set(mark.fields.map(fieldLabel))].join(", ");
    const text = fields === "" ? area : `${area}: ${fields}`;
    return { id: mark.id, kind: "change", startMs, endMs: null, text };
  });
}
