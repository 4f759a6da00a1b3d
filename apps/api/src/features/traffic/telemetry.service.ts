import type { TelemetryReport } from "@palisade/contract/edge/telemetry";
import { recordAttacks } from "#src/features/attacks/attack-reports.service.ts";
import { proofPublishingJob } from "#src/features/backend-proofs/backend-proofs.service.ts";
import { recordFavicons } from "#src/features/favicons/favicons.service.ts";
import { recordLogins } from "#src/features/logs/login-entries.service.ts";
import type { AddressDatabases } from "@palisade/address-databases/address-databases";
import type { Db } from "#src/platform/database/db.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import type { EdgeActor } from "#src/platform/http/pipeline/context.ts";
import { challengeRows } from "./challenge-rows.ts";
import { minuteAgeHoursMax, minuteRows } from "./minute-rows.ts";
import { aheadMs, coverageOf, withReadableTimes } from "./report-times.ts";
import {
  addChallengeTimes,
  addCoverage,
  addMinutes,
  claimReport,
  deleteHealth,
  insertProofs,
  markReported,
  replaceGauges,
  replaceHealth,
  selectServedShields,
} from "./telemetry.repository.ts";

export interface TelemetryDeps {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly places: Pick<AddressDatabases, "placeOf">;
}

/**
 * Counts a report once, even when two copies of it arrive together. Only shields of the edge's own
 * location count, and only plausible minutes.
 *
 * @returns whether it is counted now and was not before, and how far its edge's clock is ahead
 */
export function recordTelemetry(
  { db, jobs, places }: TelemetryDeps,
  edge: EdgeActor,
  sent: TelemetryReport,
): Promise<{ readonly isCounted: boolean; readonly aheadMs: number }> {
  const report = withReadableTimes(sent);
  return db.transaction().execute(async (trx) => {
    const { served, now } = await selectServedShields(trx, edge, report);
    const minutes = minuteRows(report.minutes, served, now);
    const hasCounts = report.minutes.length > 0 || report.logins.length > 0;
    const isCounted = !hasCounts || (await claimReport(trx, edge, report, minutes));
    if (isCounted) {
      await addMinutes(trx, edge, minutes);
      await addChallengeTimes(trx, edge, challengeRows(report.minutes, minutes));
    }
    const logins = report.logins.filter(({ shield_id }) => served.has(shield_id));
    if (isCounted) {
      await recordLogins({ trx, places }, edge.edgeId, logins, minuteAgeHoursMax);
    }
    const { isNewest, isFirst } = await markReported(trx, edge, report);
    if (isNewest) await replaceGauges(trx, edge, report);
    if (isFirst) await deleteHealth(trx, edge.edgeId);
    if (isNewest) await replaceHealth(trx, edge, report);
    for (const shieldId of await insertProofs(trx, edge, report)) {
      await jobs.send(trx, proofPublishingJob, { shieldId });
    }
    const favicons = report.favicons.filter(({ shield_id }) => served.has(shield_id));
    if (isNewest) await recordFavicons(trx, favicons);
    const attacks = report.attacks.filter(
      ({ shield_id }) => shield_id === null || served.has(shield_id),
    );
    await recordAttacks(trx, edge.edgeId, { ...report, isFirst }, attacks);
    // Last: other edges of the location wait for the rows of a new minute.
    const coverage = coverageOf(report, now);
    if (coverage !== undefined) await addCoverage(trx, edge, ...coverage);
    return { isCounted, aheadMs: aheadMs(report, now) };
  });
}
