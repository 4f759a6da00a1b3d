import type { Trx } from "#src/platform/database/db.ts";
import { type PartCourseRow, selectCourses, updatePeaks } from "./attack-details.repository.ts";
import { refreshAttacks } from "./attack-parts.repository.ts";
import { mergeCourses, type PartCourse, type Peaks, peaksOf } from "./merge-details.ts";

/**
 * Recomputes attacks from their parts. If every edge has told the course, the peaks are those of all
 * courses together, so that lists, mails and the chart name one number; elsewhere they are the sums of
 * the edges' peaks, which need not have been in the same second.
 */
export async function refreshWithPeaks(trx: Trx, attackIds: readonly string[]): Promise<void> {
  await refreshAttacks(trx, attackIds);
  const rows = await selectCourses(trx, attackIds);
  const byAttack = Map.groupBy(rows, ({ attackId }) => attackId);
  const peaks = new Map<string, Peaks>();
  for (const [attackId, parts] of byAttack) {
    const told = parts.flatMap(withCourse);
    if (told.length === parts.length) peaks.set(attackId, peaksOf(mergeCourses(told)));
  }
  await updatePeaks(trx, peaks);
}

function withCourse({ course, startedAt, endedAt }: PartCourseRow): PartCourse[] {
  return course === null ? [] : [{ course, startedAt, endedAt }];
}
