import { serverStatuses } from "@palisade/contract/http/servers";
import type { Insertable, Selectable, Updateable } from "kysely";
import { sql } from "kysely";
import { faviconFingerprint } from "#src/features/favicons/favicons.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { prepared, type Given } from "#src/platform/database/prepared.ts";
import type { Database } from "#src/schema/database.ts";
import type { ShieldStatus } from "#src/schema/shields.ts";

/** How the shield is renewed, locked against other changes until `trx` ends. */
export function lockRenewalSettings(trx: Trx, shieldId: string) {
  return trx
    .selectFrom("shields")
    .select([
      "status",
      "automatic_renewal",
      "include_balance",
      "automatic_renewal_changed_at",
      "include_balance_changed_at",
    ])
    .where("id", "=", shieldId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateRenewalSettings(
  trx: Trx,
  shieldId: string,
  changes: Updateable<Database["shields"]>,
): Promise<void> {
  await trx.updateTable("shields").set(changes).where("id", "=", shieldId).execute();
}

interface Member {
  readonly userId: string;
  readonly shieldId: string;
}

const memberships = prepared((db, of: Given<Member>) =>
  db
    .selectFrom("shield_members")
    .innerJoin("shields", "shields.id", "shield_members.shield_id")
    .select([
      "shields.id",
      "shields.status",
      "shields.deleted_at",
      "shield_members.role",
      "shield_members.member_role",
      "shield_members.rights",
      "shield_members.last_activity_at",
    ])
    .where("shield_members.user_id", "=", of.userId)
    .where("shield_members.shield_id", "=", of.shieldId),
);

/** The caller's relation to a shield, whatever its status. */
export async function selectMembership(db: Executor, userId: string, shieldId: string) {
  const [row] = await memberships(db, { userId, shieldId });
  return row;
}

export type MembershipRow = Pick<
  Selectable<Database["shield_members"]>,
  "role" | "member_role" | "rights"
>;

/** Undefined where the membership has ended; one that has not cannot end or change before `trx` ends. */
export function holdMembership(
  trx: Trx,
  userId: string,
  shieldId: string,
): Promise<MembershipRow | undefined> {
  return trx
    .selectFrom("shield_members")
    .select(["role", "member_role", "rights"])
    .where("user_id", "=", userId)
    .where("shield_id", "=", shieldId)
    .forShare()
    .executeTakeFirst();
}

export async function noteActivity(
  db: Executor,
  { userId, shieldId }: Member,
  now: Date,
): Promise<void> {
  await db
    .updateTable("shield_members")
    .set({ last_activity_at: now })
    .where("user_id", "=", userId)
    .where("shield_id", "=", shieldId)
    .execute();
}

const shieldOfMember = prepared((db, of: Given<Member>) =>
  db
    .selectFrom("shields")
    .innerJoin("shield_members", "shield_members.shield_id", "shields.id")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .innerJoin("locations", "locations.name", "shields.location")
    .leftJoin("subscriptions", "subscriptions.shield_id", "shields.id")
    .leftJoin("pricing_plans as planned", "planned.id", "subscriptions.planned_plan_id")
    .leftJoin("shield_mitigation", "shield_mitigation.shield_id", "shields.id")
    .select((eb) => [
      "shields.id",
      "shields.server_name",
      "shields.status",
      "shields.blocked_reason",
      "shields.traffic_used_up",
      "shields.cname_record",
      "shields.owner_id",
      "shields.automatic_renewal",
      "shields.include_balance",
      "shields.created_at",
      "shield_members.role",
      "shield_members.member_role",
      "shield_members.rights",
      "subscriptions.period_ends_at",
      "subscriptions.price_cents as paid_cents",
      "subscriptions.planned_plan_id",
      "subscriptions.planned_price_cents",
      "planned.name as planned_name",
      "planned.translations as planned_translations",
      "pricing_plans.id as plan_id",
      "pricing_plans.name as plan_name",
      "pricing_plans.translations as plan_translations",
      "pricing_plans.limits as plan_limits",
      "shield_mitigation.settings as mitigation_settings",
      "locations.name as location_name",
      "locations.display_name as location_display_name",
      "locations.translations as location_translations",
      eb
        .selectFrom("shield_domains")
        .select("shield_domains.name")
        .whereRef("shield_domains.shield_id", "=", "shields.id")
        .where("shield_domains.removed_at", "is", null)
        .where("shield_domains.name", "not like", "*.%")
        .orderBy("shield_domains.created_at")
        .orderBy("shield_domains.id")
        .limit(1)
        .as("domain"),
    ])
    .where("shields.id", "=", of.shieldId)
    .where("shield_members.user_id", "=", of.userId),
);

/** A shield as its members see it. */
export async function selectShield(db: Executor, userId: string, shieldId: string) {
  const [row] = await shieldOfMember(db, { userId, shieldId });
  return row;
}

interface Shown {
  readonly userId: string;
  readonly statuses: readonly ShieldStatus[];
  readonly deletedSince: Date;
}

export interface ShownShields {
  readonly userId: string;
  readonly status: ShieldStatus | undefined;
  /** Deleted shields appear only if they were deleted after this, so that they can be restored. */
  readonly deletedSince: Date;
}

/** Owned and shared shields of a user; deleted ones only when asked for, and only own. */
function shieldsOf(db: Executor, of: Given<Shown>) {
  return db
    .selectFrom("shields")
    .innerJoin("shield_members", "shield_members.shield_id", "shields.id")
    .where("shield_members.user_id", "=", of.userId)
    .where(sql<boolean>`shields.status = any(${of.statuses})`)
    .where(
      sql<boolean>`(shields.status <> 'deleted' or shield_members.role = 'owner'
        and shields.deleted_at > ${of.deletedSince})`,
    );
}

function toShown({ userId, status, deletedSince }: ShownShields): Shown {
  const statuses =
    status === undefined ? serverStatuses.filter((one) => one !== "deleted") : [status];
  return { userId, statuses, deletedSince };
}

const shieldCounts = prepared((db, of: Given<Shown>) =>
  shieldsOf(db, of).select((eb) => eb.fn.countAll<string>().as("total")),
);

export async function countShields(db: Executor, shown: ShownShields): Promise<number> {
  const [row] = await shieldCounts(db, toShown(shown));
  return Number(row?.total ?? 0);
}

interface Window {
  readonly limit: number;
  readonly offset: number;
}

const shieldPages = prepared((db, of: Given<Shown & Window>) =>
  shieldsOf(db, of)
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .leftJoin("subscriptions", "subscriptions.shield_id", "shields.id")
    .leftJoin("shield_mitigation", "shield_mitigation.shield_id", "shields.id")
    .select((eb) => [
      eb.fn.countAll<string>().over().as("total"),
      "shields.id",
      "shields.server_name",
      "shields.status",
      "shields.cname_record",
      "shields.deleted_at",
      "shields.traffic_used_up",
      "subscriptions.period_ends_at",
      "shield_members.role",
      "pricing_plans.limits as plan_limits",
      "shield_mitigation.settings as mitigation_settings",
      eb
        .selectFrom("shield_domains")
        .select("shield_domains.name")
        .whereRef("shield_domains.shield_id", "=", "shields.id")
        .where("shield_domains.removed_at", "is", null)
        .where("shield_domains.name", "not like", "*.%")
        .orderBy("shield_domains.created_at")
        .orderBy("shield_domains.id")
        .limit(1)
        .as("domain"),
      eb
        .selectFrom("shield_messages")
        .select("shield_messages.version")
        .whereRef("shield_messages.shield_id", "=", "shields.id")
        .where("shield_messages.offline_image", "is not", null)
        .as("image_version"),
      faviconFingerprint(sql.ref("shields.id")).as("favicon_version"),
      sql<boolean>`exists (
        select from attacks where attacks.shield_id = shields.id and attacks.ended_at is null
          and not attacks.is_over
      )`.as("under_attack"),
    ])
    .orderBy("shields.created_at", "desc")
    .orderBy("shields.id", "desc")
    .limit(of.limit)
    .offset(of.offset),
);

/** Each row carries the total over all pages; a page beyond the last one has no row to carry it. */
export function selectShieldPage(db: Executor, shown: ShownShields, window: Window) {
  return shieldPages(db, { ...toShown(shown), ...window });
}

/** Serialises creations of one user, so that two at once cannot both pass the count. */
export async function lockOwner(trx: Trx, userId: string): Promise<void> {
  await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Includes shields deleted since then, because each has used up a label. */
export async function countFreeShields(
  trx: Trx,
  ownerId: string,
  deletedSince?: Date,
): Promise<number> {
  const row = await trx
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select((eb) => eb.fn.countAll<string>().as("total"))
    .where("shields.owner_id", "=", ownerId)
    .where((eb) =>
      eb.or([
        eb("shields.status", "!=", "deleted"),
        ...(deletedSince ? [eb("shields.deleted_at", ">", deletedSince)] : []),
      ]),
    )
    .where(sql<boolean>`pricing_plans.price_cents = 0`)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export async function insertReservation(
  trx: Trx,
  row: Insertable<Database["cname_reservations"]>,
): Promise<void> {
  await trx.insertInto("cname_reservations").values(row).execute();
}

/** The oldest unused reservation of a user who has `unusedMax` of them; undefined if they have fewer. */
export async function renewOldestReservation(
  trx: Trx,
  userId: string,
  { now, unusedMax }: { readonly now: Date; readonly unusedMax: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ cname_record: string }>`
    update cname_reservations set created_at = ${now}
    where cname_record = (
      select cname_record from (
        select cname_record, created_at, count(*) over () as unused
        from cname_reservations where user_id = ${userId} and shield_id is null
      ) as own
      where unused >= ${unusedMax} order by created_at, cname_record limit 1
    )
    returning cname_record
  `.execute(trx);
  return rows[0]?.cname_record;
}

/** Hands the user's unused reservation to the shield; false where there is none. */
export async function claimReservation(
  trx: Trx,
  claim: { readonly cname: string; readonly userId: string; readonly shieldId: string },
): Promise<boolean> {
  const result = await trx
    .updateTable("cname_reservations")
    .set({ shield_id: claim.shieldId })
    .where("cname_record", "=", claim.cname)
    .where("user_id", "=", claim.userId)
    .where("shield_id", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export interface NewShield {
  readonly shield: Insertable<Database["shields"]>;
  readonly group: Insertable<Database["backend_groups"]>;
  readonly backend: Insertable<Database["backends"]>;
  readonly domain: Insertable<Database["shield_domains"]>;
}

/** The shield with its owner, first backend, domain and settings at their defaults. */
export async function insertShield(trx: Trx, rows: NewShield): Promise<void> {
  const { shield } = rows;
  await trx.insertInto("shields").values(shield).execute();
  await trx
    .insertInto("shield_members")
    .values({
      shield_id: shield.id,
      user_id: shield.owner_id,
      role: "owner",
      created_at: shield.created_at,
    })
    .execute();
  await trx.insertInto("backend_groups").values(rows.group).execute();
  await trx.insertInto("backends").values(rows.backend).execute();
  await trx.insertInto("shield_domains").values(rows.domain).execute();
  await trx.insertInto("shield_firewalls").values({ shield_id: shield.id }).execute();
  await trx.insertInto("shield_messages").values({ shield_id: shield.id }).execute();
  await trx.insertInto("shield_caching").values({ shield_id: shield.id }).execute();
  await trx.insertInto("shield_mitigation").values({ shield_id: shield.id }).execute();
}
