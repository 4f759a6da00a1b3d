import type { Trx } from "#src/platform/database/db.ts";
import { selectDetails, updatePeaks } from "./attack-details.repository.ts";
import { refreshAttacks } from "./attack-parts.repository.ts";
import { mergeDetails, type PartDetail, peakOf } from "./merge-details.ts";

/**
 * Recomputes attacks from their parts. If every edge has told the course, the peak is that of all
 * courses together, so that lists, mails and the chart name one number; elsewhere it is the sum of
 * the edges' peaks, which need not have been in the same second.
 */
export async function refreshWithPeaks(trx: Trx, attackIds: readonly string[]): Promise<void> {
  await refreshAttacks(trx, attackIds);
  const rows = await selectDetails(trx, attackIds);
  const byAttack = Map.groupBy(rows, ({ attackId }) => attackId);
  const peaks = new Map<string, number>();
  for (const [attackId, parts] of byAttack) {
    const told = parts.flatMap(withDetail);
    const merged = told.length === parts.length ? mergeDetails(told) : undefined;
    if (merged !== undefined) peaks.set(attackId, peakOf(merged.course));
  }
  await updatePeaks(trx, peaks);
}

export function withDetail({
  detail,
  ...part
}: Omit<PartDetail, "detail"> & { readonly detail: PartDetail["detail"] | null }): PartDetail[] {
  return detail === null ? [] : [{ ...part, detail }];
}
