import type { ServerOverview } from "@palisade/contract/http/servers";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/http/domain-error.ts";
import {
  lastMinutes,
  liveFigures,
  monthTraffic,
  refusedSince,
} from "#src/features/edges/traffic.service.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { spendableCents } from "#src/features/ledger/money.service.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import { forecastRenewal } from "#src/features/subscriptions/renewal-forecast.service.ts";
import { paidPeriod } from "#src/features/subscriptions/subscriptions.service.ts";
import { formatBandwidth, formatBytes } from "./figures.ts";
import { presentPlan } from "./shields.presenter.ts";
import type { ShieldCaller } from "./shields.service.ts";
import { selectShield } from "./shields.repository.ts";

const minutesShown = 60;
const dayMs = 86_400_000;

export async function getOverview(
  db: Db,
  caller: ShieldCaller,
  shieldId: string,
): Promise<ServerOverview> {
  const shield = await selectShield(db, caller.userId, shieldId);
  if (shield === undefined) throw new DomainError("not_found");
  const live = (await liveFigures(db, [shieldId])).get(shieldId);
  const traffic = await monthTraffic(db, shieldId, caller.now);
  const limit = entitlements(shield).trafficBytesPerMonth;
  const since = new Date(caller.now.getTime() - dayMs);
  const paid = await paidPeriod(db, shieldId);
  const bandwidth = live?.bandwidthBps ?? 0;
  const minutes = await lastMinutes(db, shieldId, minutesShown);
  return {
    server_name: shield.server_name,
    status: shield.status,
    pricing_plan: presentPlan(shield, caller.locale),
    cname_record: shield.cname_record,
    players_online: live?.players ?? 0,
    connections_per_second: live?.connectionsPerSecond ?? 0,
    bandwidth_bps: bandwidth,
    formatted_bandwidth: formatBandwidth(bandwidth),
    traffic,
    formatted_traffic: formatBytes(traffic),
    traffic_used: formatBytes(traffic),
    traffic_available: limit === null ? null : formatBytes(limit),
    traffic_limit_bytes: limit,
    traffic_used_percent: limit === null ? null : Math.min(100, (traffic / limit) * 100),
    traffic_resets_at: nextMonth(caller.now).toISOString(),
    blocked_connections: await refusedSince(db, [shieldId], since),
    under_attack: false,
    automatic_renewal: shield.automatic_renewal,
    include_balance: shield.include_balance,
    renewal:
      paid === null
        ? null
        : forecastRenewal({
            periodEndsAt: paid.endsAt,
            priceCents: paid.priceCents,
            automaticRenewal: shield.automatic_renewal,
            includeBalance: shield.include_balance,
            spendableCents: spendableCents(await balanceOf(db, shield.owner_id)),
          }),
    created_at: shield.created_at.toISOString(),
    expires_at: paid?.endsAt.toISOString() ?? null,
    history: minutes.map(({ minute, players, joins, pings, refused, bytes }) => ({
      minute: minute.toISOString(),
      players,
      joins,
      pings,
      refused,
      bytes,
    })),
  };
}

/** Traffic is counted by calendar month, UTC. */
function nextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}
