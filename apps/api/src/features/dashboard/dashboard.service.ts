import type { DashboardInfo } from "@palisade/contract/http/profile";
import type { Db } from "#src/platform/database/db.ts";
import { lastDay, refusedSince, type HourFigures } from "#src/features/edges/traffic.service.ts";
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
  const players = sumHours([...days.values()], (hour) => hour.players);
  const ownDays = owned.map((id) => days.get(id) ?? []);
  const oldest = Math.min(...shields.map(({ created_at }) => created_at.getTime()));
  const balanceCents = totalCents(await balanceOf(db, userId));
  return {
    balance: formatCents(balanceCents),
    balance_cents: balanceCents,
    blocked_packets: await refusedSince(db, owned, new Date(now.getTime() - 30 * dayMs)),
    game_shields: shields.length,
    active_game_shields: shields.filter(({ status }) => status === "active").length,
    average_online: averageOf(players, oldest, now),
    players_history: players.map(Math.round),
    blocked_history: sumHours(ownDays, ({ refused }) => refused),
  };
}

/** The mean of the hours in which there was a shield at all, so that a first day is no zero. */
function averageOf(players: readonly number[], oldest: number, now: Date): number {
  const age = Math.ceil((now.getTime() - oldest) / hourMs);
  const counted = players.slice(-Math.min(24, Math.max(1, age)));
  return Math.round(counted.reduce((sum, value) => sum + value, 0) / counted.length);
}

function sumHours(
  days: readonly (readonly HourFigures[])[],
  figure: (hour: HourFigures) => number,
): number[] {
  return Array.from({ length: 24 }, (_, hour) =>
    days.reduce((sum, day) => {
      const figures = day[hour];
      return figures === undefined ? sum : sum + figure(figures);
    }, 0),
  );
}
