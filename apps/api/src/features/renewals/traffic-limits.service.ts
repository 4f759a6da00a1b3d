import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { announce } from "#src/features/notifications/notification-events.service.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import { isUnderAttack } from "./renewals.repository.ts";
import { monthOf, trafficState, type TrafficState } from "./traffic-limits.policy.ts";
import {
  lockForTraffic,
  saveMonth,
  selectTraffic,
  setUsedUp,
  type TrafficRow,
} from "./traffic-limits.repository.ts";

export interface TrafficLimitsDeps {
  readonly db: Db;
  readonly writes: ShieldWrites;
  readonly mailer: Mailer;
}

/** Shields whose traffic calls for a mail, or for the end or the start of new joins. */
export async function trafficDue(db: Db, now: Date): Promise<string[]> {
  const rows = await selectTraffic(db, startOfMonth(now));
  return rows
    .filter((row) => {
      const state = stateOf(row, now);
      return state.told > toldOf(row, now) || state.isUsedUp !== row.traffic_used_up;
    })
    .map(({ shield_id }) => shield_id);
}

/**
 * Tells the owner of 80 and 100 percent of the plan's traffic, once each in a month. When it is used
 * up, new players can no longer join: never during an attack, and those who are on stay.
 */
export async function limitTraffic(
  { db, writes, mailer }: TrafficLimitsDeps,
  shieldId: string,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const shield = await lockForTraffic(trx, shieldId);
    const [row] = await selectTraffic(trx, startOfMonth(now), shieldId);
    if (shield?.status !== "active" || row === undefined) return;
    const state = stateOf(row, now);
    const tell = (template: string) =>
      mailer.enqueue(trx, {
        to: shield.email,
        template,
        locale: shield.locale,
        values: { shieldId, server: shield.server_name },
      });
    if (state.told > toldOf(row, now)) {
      await tell(`traffic.${state.told}`);
      const kind = state.told === 100 ? "traffic.used_up" : "traffic.warning";
      await announce(trx, [{ shieldId, kind, at: now, data: { percent: state.told } }]);
    }
    await saveMonth(trx, shieldId, monthOf(now), state);
    if (state.isUsedUp === row.traffic_used_up) return;
    if (state.isUsedUp && (await isUnderAttack(trx, shieldId))) return;
    await setUsedUp(trx, shieldId, state.isUsedUp);
    if (state.isUsedUp) await tell("traffic.used-up");
    await recordChange(trx, { shieldId, now }, "plan", [
      { field: "traffic_used_up", before: row.traffic_used_up, after: state.isUsedUp },
    ]);
    await writes.commit(trx, shieldId);
  });
}

/** After a change of the plan, which has its own limit: before the shield is compiled. */
export async function refreshTraffic(trx: Trx, shieldId: string, now: Date): Promise<void> {
  const [row] = await selectTraffic(trx, startOfMonth(now), shieldId);
  if (row === undefined) return;
  const state = stateOf(row, now);
  await saveMonth(trx, shieldId, monthOf(now), state);
  if (row.traffic_used_up && !state.isUsedUp) await setUsedUp(trx, shieldId, false);
}

function stateOf(row: TrafficRow, now: Date): TrafficState {
  const limitBytes = entitlements(row).trafficBytesPerMonth;
  const isSame = row.month === monthOf(now);
  const before = { told: toldOf(row, now), exceededAt: isSame ? row.exceeded_at : null };
  return trafficState({ bytes: Number(row.bytes), limitBytes }, before, now);
}

function toldOf({ month, told }: TrafficRow, now: Date) {
  return month === monthOf(now) ? (told ?? 0) : 0;
}

function startOfMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}
