import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import type { AnalyticsSeries, AnalyticsTotals } from "@palisade/contract/http/analytics";
import { addAll, zerosWhereKnown, type Values } from "./values.ts";

interface Refusals {
  /** The most frequent first. */
  readonly named: readonly {
    readonly reason: RefusalReason;
    readonly values: Values;
    readonly total: number;
  }[];
  /** All other reasons together; null where there are none. */
  readonly others: { readonly values: Values; readonly total: number } | null;
}

/** The refusals of a period: the most frequent reasons, and all the others as one. */
export function refusalsOf(
  series: Pick<AnalyticsSeries, "refused" | "joins">,
  { refused }: Pick<AnalyticsTotals, "refused">,
  namedMax: number,
): Refusals {
  const reasons = Object.entries(refused)
    .map(([key, total]) => {
      // A key of the record: `entries` widens it.
      const reason = key as RefusalReason;
      return { reason, total, values: series.refused[reason] ?? zerosWhereKnown(series.joins) };
    })
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => b.total - a.total);
  const rest = reasons.slice(namedMax);
  return {
    named: reasons.slice(0, namedMax),
    others:
      rest.length === 0
        ? null
        : {
            values: addAll(rest.map(({ values }) => values)),
            total: rest.reduce((sum, { total }) => sum + total, 0),
          },
  };
}
