import type { ServerOverview } from "@palisade/contract/http/servers";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { shieldStats } from "#src/features/traffic/traffic.service.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { readCents, spendableCents } from "#src/features/ledger/money.service.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import { grossPrices } from "#src/features/vat/vat.service.ts";
import { forecastRenewal } from "#src/features/subscriptions/renewal-forecast.service.ts";
import type { SavedCards } from "#src/features/subscriptions/saved-cards.service.ts";
import { formatBandwidth, formatBytes } from "./traffic-stats.ts";
import { antibotState } from "#src/features/configuration/mitigation-settings.service.ts";
import { presentGrace, presentPlan, presentPlanned } from "./shields.presenter.ts";
import type { ShieldCaller } from "./shields.service.ts";
import { selectShield } from "./shields.repository.ts";

export interface OverviewDeps {
  readonly db: Db;
  readonly cards: Pick<SavedCards, "hasSavedCard">;
}

const minutesShown = 60;
const dayMs = 86_400_000;

export async function getOverview(
  { db, cards }: OverviewDeps,
  caller: ShieldCaller,
  shieldId: string,
): Promise<ServerOverview> {
  const since = new Date(caller.now.getTime() - dayMs);
  const window = { now: caller.now, refusedSince: since, minutes: minutesShown };
  const [shield, figures] = await Promise.all([
    selectShield(db, caller.userId, shieldId),
    shieldStats(db, shieldId, window),
  ]);
  if (shield === undefined) throw new DomainError("not_found");
  const { live, monthBytes: traffic } = figures;
  const limit = entitlements(shield).trafficBytesPerMonth;
  return {
    server_name: shield.server_name,
    status: shield.status,
    pricing_plan: presentPlan(shield, caller.locale),
    cname_record: shield.cname_record,
    players_online: live.players,
    connections_per_second: live.connectionsPerSecond,
    bandwidth_bps: live.bandwidthBps,
    formatted_bandwidth: formatBandwidth(live.bandwidthBps),
    traffic,
    formatted_traffic: formatBytes(traffic),
    traffic_used: formatBytes(traffic),
    traffic_available: limit === null ? null : formatBytes(limit),
    traffic_limit_bytes: limit,
    traffic_used_percent: limit === null ? null : Math.min(100, (traffic / limit) * 100),
    traffic_used_up: shield.traffic_used_up,
    traffic_resets_at: nextMonth(caller.now).toISOString(),
    blocked_connections: figures.refused,
    under_attack: figures.underAttack,
    antibot: antibotState(shield),
    automatic_renewal: shield.automatic_renewal,
    include_balance: shield.include_balance,
    renewal: await renewalOf({ db, cards }, shield, caller.now),
    planned_plan: presentPlanned(shield, caller.locale),
    grace_ends_at: presentGrace(shield, caller.now),
    blocked_reason: blockedReasonOf(shield),
    created_at: shield.created_at.toISOString(),
    expires_at: shield.period_ends_at?.toISOString() ?? null,
    history: figures.minutes.map(({ minute, players, joins, pings, refused, bytes }) => ({
      minute: minute.toISOString(),
      players,
      joins,
      pings,
      refused,
      bytes,
    })),
  };
}

type ShieldRow = NonNullable<Awaited<ReturnType<typeof selectShield>>>;

async function renewalOf({ db, cards }: OverviewDeps, shield: ShieldRow, now: Date) {
  if (shield.period_ends_at === null || shield.paid_cents === null) return null;
  const priceCents = readCents(shield.planned_price_cents ?? shield.paid_cents);
  // The next period is on a plan that costs nothing.
  if (priceCents === 0) return null;
  const gross = await grossPrices(db, shield.owner_id, now);
  return forecastRenewal({
    status: shield.status,
    now,
    periodEndsAt: shield.period_ends_at,
    priceCents: gross(priceCents),
    isPlanned: shield.planned_plan_id !== null,
    // A sub-user learns no more of the owner's cards than of their balance.
    hasCard: shield.role === "owner" && (await cards.hasSavedCard(shield.owner_id)),
    automaticRenewal: shield.automatic_renewal,
    includeBalance: shield.include_balance,
    // Only the owner may see their balance, not even as enough or too little.
    spendableCents:
      shield.role === "owner" ? spendableCents(await balanceOf(db, shield.owner_id)) : null,
  });
}

/** Support tells the owner; it may be about their payments. */
function blockedReasonOf({ status, role, blocked_reason }: ShieldRow): string | null {
  return status === "blocked" && role === "owner" ? blocked_reason : null;
}

/** Traffic is counted by calendar month, UTC. */
function nextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}
