import { randomBytes } from "node:crypto";
import { ownerRights, rightsOf, type Rights } from "@palisade/contract/http/member-rights";
import { toPage } from "@palisade/contract/http/paging";
import type { CreateServerBody } from "@palisade/contract/http/servers";
import type { Locale } from "@palisade/contract/texts/render";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { ShieldAccess } from "#src/platform/http/pipeline/context.ts";
import type { ShieldStatus } from "#src/schema/shields.ts";
import { claimForCreation } from "#src/features/domains/domains.service.ts";
import { lastDay, liveStats } from "#src/features/traffic/traffic.service.ts";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";
import { requireLocation, requirePlan } from "#src/features/plans/plans.service.ts";
import {
  beginSubscription,
  payFirstPeriod,
} from "#src/features/subscriptions/subscriptions.service.ts";
import {
  isProtectable,
  normalizeBackend,
  requireBackendPort,
  type AddressRules,
} from "#src/features/backends/backend-address.service.ts";
import { freeShieldsMax } from "./free-shields.service.ts";
import { restorableSince, restorableUntil } from "./shield-deadlines.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { presentListItem, presentShield } from "./shields.presenter.ts";
import {
  claimReservation,
  countFreeShields,
  countShields,
  holdMembership,
  insertReservation,
  insertShield,
  lockOwner,
  noteActivity,
  renewOldestReservation,
  selectMembership,
  selectShield,
  selectShieldPage,
  type MembershipRow,
} from "./shields.repository.ts";

/** Owners see when a sub-user was last here; to the minute, so that reading stays cheap. */
const activityMs = 60_000;

export function createShieldAccess(now: () => Date): ShieldAccess {
  return {
    async of(executor, userId, shieldId) {
      const member = await selectMembership(executor, userId, shieldId);
      if (member === undefined) return null;
      const at = now();
      if (member.deleted_at === null) {
        const last = member.last_activity_at?.getTime() ?? -Infinity;
        if (member.role === "member" && at.getTime() - last >= activityMs) {
          await noteActivity(executor, { userId, shieldId }, at);
        }
        return {
          id: member.id,
          role: member.role,
          status: member.status,
          rights: toRights(member),
        };
      }
      const isRecent = at < restorableUntil(member.deleted_at);
      return member.role === "owner" && isRecent ? "gone" : null;
    },
    async hold(trx, userId, shieldId) {
      const member = await holdMembership(trx, userId, shieldId);
      return member === undefined ? null : toRights(member);
    },
  };
}

function toRights({ role, member_role, rights }: MembershipRow): Rights {
  return role === "owner" ? ownerRights : rightsOf(member_role, rights);
}

/** Labels are kept for ever, so a user gets no more until they have used some. */
export const unusedLabelsMax = 20;

/**
 * 12 base32 letters and digits below the zone; 60 bits, so that labels cannot be guessed. A user
 * with many unused labels gets the oldest of them again, never the label of another user.
 */
export async function reserveCname(
  trx: Trx,
  zone: string,
  userId: string,
  now: Date,
): Promise<string> {
  await lockOwner(trx, userId);
  const oldest = await renewOldestReservation(trx, userId, { now, unusedMax: unusedLabelsMax });
  if (oldest !== undefined) return oldest;
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  const label = Array.from(randomBytes(12), (byte) => alphabet[byte % 32]).join("");
  const cname_record = `${label}.${zone}`;
  await insertReservation(trx, { cname_record, user_id: userId, shield_id: null, created_at: now });
  return cname_record;
}

export interface ShieldCaller {
  readonly userId: string;
  readonly now: Date;
  /** Language of the answer. */
  readonly locale: Locale;
}

export interface CreateShieldDeps {
  readonly rules: AddressRules;
  readonly writes: ShieldWrites;
  readonly failpoint: Failpoint;
}

/** Buys a shield with all that belongs to it; its first configuration included. */
export async function createShield(
  { rules, writes, failpoint }: CreateShieldDeps,
  trx: Trx,
  caller: ShieldCaller,
  body: CreateServerBody,
) {
  const { userId, now } = caller;
  await lockOwner(trx, userId);
  const plan = await requirePlan(trx, {
    planId: body.pricing_plan_id,
    expectedPriceCents: body.expected_price_cents,
  });
  const shieldId = newId();
  const purchase = { shieldId, planId: plan.id, priceCents: plan.priceCents, now };
  if (plan.priceCents === 0) {
    const owned = await countFreeShields(trx, userId, restorableSince(now));
    if (owned >= freeShieldsMax) throw new DomainError("plan_unavailable");
  }
  await payFirstPeriod(trx, userId, purchase);
  failpoint("purchase-paid");
  const location = await requireLocation(trx, body.location, plan.entitlements);
  requireBackendPort(rules, body.real_port, "real_port");
  if (!(await isProtectable(trx, rules, body.real_ip))) {
    throw fieldError("real_ip", "real_ip.private");
  }
  const cname = body.cname_record.toLowerCase().replace(/\.$/, "");
  if (!(await claimReservation(trx, { cname: printable(cname), userId, shieldId }))) {
    throw new DomainError("cname_not_reserved", {
      issues: [{ path: "cname_record", code: "error.cname_not_reserved" }],
    });
  }
  const claim = { domain: body.domain, cname };
  const names = { zone: rules.zone, anyName: rules.anyBackend, writes };
  const domain = await claimForCreation(names, trx, caller, claim);
  const groupId = newId();
  await insertShield(trx, {
    shield: {
      id: shieldId,
      owner_id: userId,
      server_name: body.server_name,
      status: "active",
      pricing_plan_id: plan.id,
      cname_record: cname,
      location: location.name,
      created_at: now,
      deleted_at: null,
    },
    group: {
      id: groupId,
      shield_id: shieldId,
      name: "Default",
      balancing: "round_robin",
      proxy_protocol: false,
      is_default: true,
      created_at: now,
    },
    backend: {
      id: newId(),
      group_id: groupId,
      host: normalizeBackend(body.real_ip),
      port: body.real_port,
      created_at: now,
    },
    domain: { id: newId(), shield_id: shieldId, created_at: now, ...domain },
  });
  failpoint("purchase-placed");
  await beginSubscription(trx, purchase);
  const server = await getShield(trx, caller, shieldId);
  await recordChange(trx, { shieldId, now }, "general", [
    { field: "name", before: null, after: body.server_name },
  ]);
  await writes.commit(trx, shieldId);
  return server;
}

/** PostgreSQL's text has no NUL: such a value is no reservation, not an error. */
function printable(text: string): string {
  return text.replaceAll("\0", "");
}

export async function getShield(db: Executor, caller: ShieldCaller, shieldId: string) {
  const row = await selectShield(db, caller.userId, shieldId);
  if (row === undefined) throw new DomainError("not_found");
  return presentShield(row, caller.locale);
}

export async function listShields(
  db: Db,
  caller: { readonly userId: string; readonly now: Date },
  query: {
    readonly page: number;
    readonly per_page: number;
    readonly status?: ShieldStatus | undefined;
  },
) {
  const { userId, now } = caller;
  const shown = { userId, status: query.status, deletedSince: restorableSince(now) };
  const rows = await selectShieldPage(db, shown, {
    limit: query.per_page,
    offset: (query.page - 1) * query.per_page,
  });
  const isBeyond = rows.length === 0 && query.page > 1;
  const total = isBeyond ? await countShields(db, shown) : Number(rows[0]?.total ?? 0);
  const ids = rows.map(({ id }) => id);
  const [live, days] = await Promise.all([liveStats(db, ids), lastDay(db, ids, now)]);
  const items = rows.map((row) =>
    presentListItem(
      row,
      {
        playersOnline: live.get(row.id)?.players ?? 0,
        playersHistory: (days.get(row.id) ?? []).map(({ players }) => players),
      },
      now,
    ),
  );
  return toPage(items, query.page, query.per_page, total);
}
