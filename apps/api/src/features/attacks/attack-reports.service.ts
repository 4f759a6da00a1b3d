import type { AttackReport, TelemetryReport } from "@palisade/contract/edge/telemetry";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { tellAttacks } from "./attack-events.service.ts";
import {
  endAttacks,
  endLeftParts,
  endSilentParts,
  selectLeftScopes,
  selectRested,
  selectSilentScopes,
} from "./attack-ends.repository.ts";
import {
  insertAttacks,
  lockAttacks,
  selectAttacksNear,
  selectParts,
  upsertParts,
  type ReportNumber,
} from "./attack-parts.repository.ts";
import { upsertDetails } from "./attack-details.repository.ts";
import { selectLedAttacks } from "./attack-lead.repository.ts";
import { refreshWithPeaks } from "./attack-peaks.service.ts";
import { mergeReports, type MergedPart, type MergedReports } from "./merge-reports.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Older attacks are ignored; an edge keeps its reports for a shorter time. */
const endedDaysMax = 2;
const startedDaysMax = 31;
/** How far the clock of an edge may be ahead. */
const aheadMinutesMax = 5;

/**
 * Stores what an edge reports about attacks. Reports may arrive twice, late or not at all.
 *
 * @param report `isFirst` after a start of the edge: attacks it left running ended with its last report
 * @param attacks on the edge itself and on shields it serves
 */
export async function recordAttacks(
  trx: Trx,
  edgeId: string,
  report: Pick<TelemetryReport, "boot_id" | "seq"> & { readonly isFirst: boolean },
  attacks: readonly AttackReport[],
): Promise<void> {
  const start = { edgeId, bootId: report.boot_id };
  const left = report.isFirst ? await selectLeftScopes(trx, start) : [];
  if (attacks.length === 0 && left.length === 0) return;
  const shieldIds = [...new Set(attacks.flatMap(({ shield_id }) => shield_id ?? []))];
  const now = await lockAttacks(trx, [edgeId, ...shieldIds, ...left]);
  if (left.length > 0) await refreshAndTell(trx, await endLeftParts(trx, start));
  const told = [...new Map(attacks.map((attack) => [attack.id, attack])).values()].filter(
    (attack) => isPlausible(attack, now),
  );
  if (told.length === 0) return;
  const since = new Date(Math.min(...told.map(({ started_at }) => Date.parse(started_at))));
  const { boot_id: bootId, seq } = report;
  const partIds = told.map(({ id }) => id);
  const placement = mergeReports(
    { bootId, seq, attacks: told, now },
    await selectParts(trx, edgeId, partIds),
    await selectAttacksNear(trx, { shieldIds, edgeId, partIds, since }),
    newId,
  );
  await write(trx, { edgeId, bootId, seq }, placement);
}

/** Writes known attacks first, because a shield may have only one attack that is not over. */
async function write(
  trx: Trx,
  told: ReportNumber,
  { parts, newAttacks, over }: MergedReports,
): Promise<void> {
  const begun = new Set(newAttacks.map(({ id }) => id));
  await writeParts(
    trx,
    told,
    parts.filter(({ attackId }) => !begun.has(attackId)),
  );
  await endAndTell(trx, over);
  await insertAttacks(trx, told.edgeId, newAttacks);
  await writeParts(
    trx,
    told,
    parts.filter(({ attackId }) => begun.has(attackId)),
  );
}

async function writeParts(
  trx: Trx,
  told: ReportNumber,
  parts: readonly MergedPart[],
): Promise<void> {
  if (parts.length === 0) return;
  await upsertParts(trx, told, parts);
  await upsertDetails(trx, told.edgeId, parts);
  await refreshAndTell(trx, await selectLedAttacks(trx, told, parts));
}

async function refreshAndTell(trx: Trx, attackIds: readonly string[]): Promise<void> {
  await refreshWithPeaks(trx, attackIds);
  await tellAttacks(trx, attackIds);
}

async function endAndTell(trx: Trx, attackIds: readonly string[]): Promise<void> {
  await endAttacks(trx, attackIds);
  await tellAttacks(trx, attackIds);
}

function isPlausible({ started_at, ended_at }: AttackReport, now: Date): boolean {
  const started = Date.parse(started_at) - now.getTime();
  const ended = ended_at === null ? 0 : Date.parse(ended_at) - now.getTime();
  return (
    started <= aheadMinutesMax * minuteMs &&
    started >= -startedDaysMax * dayMs &&
    ended >= -endedDaysMax * dayMs
  );
}

/**
 * Ends attacks whose edges are gone at their last report, and announces the end of attacks that
 * ended long enough ago.
 */
export async function closeSilentAttacks(db: Db, signal?: AbortSignal): Promise<void> {
  for (const scope of await selectSilentScopes(db)) {
    if (signal?.aborted === true) return;
    await db.transaction().execute(async (trx) => {
      await lockAttacks(trx, [scope]);
      const attackIds = await endSilentParts(trx, scope);
      if (attackIds.length > 0) await refreshAndTell(trx, attackIds);
      await endAndTell(trx, await selectRested(trx, scope));
    });
  }
}
