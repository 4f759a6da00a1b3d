import {
  announce,
  type Announcement,
} from "#src/features/notifications/notification-events.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { insertEvents, type NewAttackEvent } from "./attack-parts.repository.ts";

const kinds = {
  started: "attack.started",
  relaxed: "attack.level_relaxed",
  stopped: "attack.ended",
} as const;

/** Announces what is new about these attacks: each start, relaxed level and end once. */
export async function tellAttacks(trx: Trx, attackIds: readonly string[]): Promise<void> {
  if (attackIds.length === 0) return;
  const events = await insertEvents(trx, attackIds);
  await announce(trx, events.flatMap(announcementOf));
}

/** Attacks on an edge as a whole belong to no owner. */
function announcementOf({ kind, at, attack }: NewAttackEvent): Announcement[] {
  if (attack.shield_id === null) return [];
  const refusedTotal = Object.values(attack.refused).reduce((sum, count) => sum + count, 0);
  return [
    {
      shieldId: attack.shield_id,
      kind: kinds[kind],
      at,
      thread: attack.id,
      data: {
        attack_id: attack.id,
        started_at: attack.started_at.toISOString(),
        ended_at: kind === "stopped" ? (attack.ended_at?.toISOString() ?? null) : null,
        peak_per_second: Number(attack.peak_per_second),
        datagrams_peak: Number(attack.datagrams_peak),
        sources: Number(attack.sources),
        editions: attack.editions.java + attack.editions.bedrock === 0 ? null : attack.editions,
        refused: attack.refused,
        refused_total: refusedTotal,
        relaxed_to: attack.relaxed_to,
        message: "",
      },
    },
  ];
}
