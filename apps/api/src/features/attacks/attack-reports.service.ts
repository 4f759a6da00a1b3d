import type { AttackReport, TelemetryReport } from "@palisade/contract/edge/telemetry";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/ids.ts";
import {
  endSilentParts,
  insertAttacks,
  lockAttacks,
  refreshAttacks,
  selectAttacksNear,
  selectParts,
  selectSilentScopes,
  upsertParts,
} from "./attack-parts.repository.ts";
import { placeParts } from "./place-parts.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Told later than that, an attack is no news; an edge keeps its reports for less. */
const endedDaysMax = 2;
const startedDaysMax = 31;
/** What clocks of edges may be ahead. */
const aheadMinutesMax = 5;

/**
 * What an edge tells of attacks, whichever of its reports come twice, late or not at all.
 *
 * @param attacks on the edge itself, and on shields it serves
 */
export async function recordAttacks(
  trx: Trx,
  edgeId: string,
  report: Pick<TelemetryReport, "boot_id" | "seq">,
  attacks: readonly AttackReport[],
): Promise<void> {
  if (attacks.length === 0) return;
  const shieldIds = [...new Set(attacks.flatMap(({ shield_id }) => shield_id ?? []))];
  const now = await lockAttacks(trx, [edgeId, ...shieldIds]);
  const told = [...new Map(attacks.map((attack) => [attack.id, attack])).values()].filter(
    (attack) => isPlausible(attack, now),
  );
  if (told.length === 0) return;
  const since = new Date(Math.min(...told.map(({ started_at }) => Date.parse(started_at))));
  const { boot_id: bootId, seq } = report;
  const placement = placeParts(
    { bootId, seq, attacks: told, now },
    await selectParts(
      trx,
      edgeId,
      told.map(({ id }) => id),
    ),
    await selectAttacksNear(trx, { shieldIds, edgeId, since }),
    newId,
  );
  if (placement.parts.length === 0) return;
  await insertAttacks(trx, edgeId, placement.newAttacks);
  await upsertParts(trx, { edgeId, bootId, seq }, placement.parts);
  await refreshAttacks(trx, [...new Set(placement.parts.map(({ attackId }) => attackId))]);
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

/** Attacks whose edges are gone end with the last word that was heard of them. */
export async function closeSilentAttacks(db: Db, signal?: AbortSignal): Promise<void> {
  for (const scope of await selectSilentScopes(db)) {
    if (signal?.aborted === true) return;
    await db.transaction().execute(async (trx) => {
      await lockAttacks(trx, [scope]);
      const attackIds = await endSilentParts(trx, scope);
      if (attackIds.length > 0) await refreshAttacks(trx, attackIds);
    });
  }
}
