import type { DashboardInfo } from "@palisade/contract/http/profile";
import type { Db } from "#src/platform/database/db.ts";
import { lastDay, refusedSince, type HourStats } from "#src/features/traffic/traffic.service.ts";
import { balanceHistory } from "#src/features/ledger/balance-history.service.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { formatCents, totalCents } from "#src/features/ledger/money.service.ts";
import { selectShieldsOf } from "./dashboard.repository.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** The figures on top of the dashboard; their meanings are in the contract. */
export async function getDashboard(db: Db, userId: string, now: Date): Promise<DashboardInfo> {
  const shields = await selectShieldsOf(db, userId);
  const owned = shields.filter(({ role }) => role === "owner").map(({ id }) => id);
  const days = await lastDay(
    db,
    shields.map(({ id }) => id),
    now,
  );
  const all = [...days.values()];
  const ownDays = owned.map((id) => days.get(id) ?? []);
  const oldest = Math.min(...shields.map(({ created_at }) => created_at.getTime()));
  const balanceCents = totalCents(await balanceOf(db, userId));
  return {
    balance: formatCents(balanceCents),
    balance_cents: balanceCents,
    balance_history: await balanceHistory(db, userId, { nowCents: balanceCents, now, days: 30 }),
    blocked_packets: await refusedSince(db, owned, new Date(now.getTime() - 30 * dayMs)),
    game_shields: shields.length,
    active_game_shields: shields.filter(({ status }) => status === "active").length,
    average_online: averageOf(
      sumHours(all, ({ playerSeconds }) => playerSeconds),
      oldest,
      now,
    ),
    players_history: sumHours(all, ({ players }) => players).map(Math.round),
    blocked_history: sumHours(ownDays, ({ refused }) => refused),
  };
}

/**
 * The mean over the hours told, each second alike: the current hour counts for as much as has passed
 * of it, and time before the first shield does not count, so that a first day is no zero.
 */
function averageOf(playerSeconds: readonly number[], oldest: number, now: Date): number {
  const firstHour = Math.floor(now.getTime() / hourMs) * hourMs - 23 * hourMs;
  const seconds = (now.getTime() - Math.max(firstHour, Math.min(oldest, now.getTime()))) / 1000;
  const total = playerSeconds.reduce((sum, value) => sum + value, 0);
  return Math.round(total / Math.max(60, seconds));
}

function sumHours(
  days: readonly (readonly HourStats[])[],
  figure: (hour: HourStats) => number,
): number[] {
  return Array.from({ length: 24 }, (_, hour) =>
    days.reduce((sum, day) => {
      const figures = day[hour];
      return figures === undefined ? sum : sum + figure(figures);
    }, 0),
  );
}
