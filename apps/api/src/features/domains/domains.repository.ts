import { sql } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";

/**
 * Decisions about one name follow each other until `trx` ends. Taken before any shield's lock,
 * so that two transactions cannot deadlock.
 */
export async function lockName(trx: Trx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`domain ${name}`}, 0))`.execute(trx);
}

/** Shields in the order of their ids: a proof may move between two. */
export async function lockShields(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx
    .selectFrom("shields")
    .select("id")
    .where("id", "in", [...ids])
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

/** The proven claim of a name by a shield that still exists, not taken away by its owner. */
export function selectHolder(db: Executor, name: string) {
  return db
    .selectFrom("shield_domains")
    .innerJoin("shields", "shields.id", "shield_domains.shield_id")
    .select([
      "shield_domains.id",
      "shield_domains.shield_id",
      "shields.owner_id",
      "shields.cname_record",
    ])
    .where("shield_domains.name", "=", name)
    .where("shield_domains.verified_at", "is not", null)
    .where("shield_domains.removed_at", "is", null)
    .where("shields.status", "!=", "deleted")
    .executeTakeFirst();
}

/**
 * Whether a claimant may take the holder's proven name as a move between shields of one owner; the
 * caller has to belong to both, so that a sub-user of one takes nothing from another.
 */
export async function mayMove(
  db: Executor,
  holder: { readonly shield_id: string; readonly owner_id: string },
  claimant: { readonly ownerId: string; readonly callerId: string },
): Promise<boolean> {
  if (holder.owner_id !== claimant.ownerId) return false;
  const membership = await db
    .selectFrom("shield_members")
    .select("id")
    .where("shield_id", "=", holder.shield_id)
    .where("user_id", "=", claimant.callerId)
    .executeTakeFirst();
  return membership !== undefined;
}

/**
 * Removes every proof of the name: the holder's, and those that deleted shields and removed domains
 * kept. Their claims start anew: they are checked soon, and end if they are not proven in time. An
 * owner who loses the domain to another account gets a mail.
 */
export async function removeProofs(
  trx: Trx,
  name: string,
  { now, claimantId }: { readonly now: Date; readonly claimantId: string },
): Promise<void> {
  await trx
    .updateTable("shield_domains")
    .set({
      verified_at: null,
      unseen_since: null,
      unproven_since: now,
      checks: 0,
      next_check_at: null,
      notice: sql`case when removed_at is null and exists (
        select from shields where shields.id = shield_domains.shield_id
          and shields.owner_id <> ${claimantId} and shields.status <> 'deleted'
      ) then 'lost' end`,
    })
    .where("name", "=", name)
    .where("verified_at", "is not", null)
    .execute();
}

export async function setProven(
  trx: Trx,
  claimId: string,
  { now, nextAt }: { readonly now: Date; readonly nextAt: Date },
): Promise<void> {
  await trx
    .updateTable("shield_domains")
    .set({ verified_at: now, expired_at: null, notice: null, checks: 0, next_check_at: nextAt })
    .where("id", "=", claimId)
    .execute();
}

export function selectClaim(trx: Trx, shieldId: string, name: string) {
  return trx
    .selectFrom("shield_domains")
    .select(["id", "verified_at"])
    .where("shield_id", "=", shieldId)
    .where("name", "=", name)
    .where("removed_at", "is", null)
    .executeTakeFirst();
}

/** A label the user may prove domains for: reserved by them, or of a shield they belong to. */
export function selectLabel(db: Executor, userId: string, cname: string) {
  return db
    .selectFrom("cname_reservations as reservation")
    .leftJoin("shields", "shields.id", "reservation.shield_id")
    .select(["reservation.user_id", "reservation.shield_id"])
    .where("reservation.cname_record", "=", cname)
    .where((eb) => eb.or([eb("shields.id", "is", null), eb("shields.status", "!=", "deleted")]))
    .where((eb) =>
      eb.or([
        eb("reservation.user_id", "=", userId),
        eb.exists(
          eb
            .selectFrom("shield_members")
            .select("shield_members.user_id")
            .whereRef("shield_members.shield_id", "=", "reservation.shield_id")
            .where("shield_members.user_id", "=", userId),
        ),
      ]),
    )
    .executeTakeFirst();
}

export interface ProofRow {
  readonly domain: string;
  readonly cname_record: string;
  readonly user_id: string;
  readonly proven_at: Date;
  readonly supersedes: string | null;
}

export async function upsertProof(trx: Trx, row: ProofRow): Promise<void> {
  await trx
    .insertInto("domain_proofs")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["domain", "cname_record"]).doUpdateSet((eb) => ({
        user_id: eb.ref("excluded.user_id"),
        proven_at: eb.ref("excluded.proven_at"),
        supersedes: eb.ref("excluded.supersedes"),
      })),
    )
    .execute();
}

/** Proofs of the name for other labels, no younger than that moment. */
export function selectRivalProofs(
  trx: Trx,
  key: { readonly domain: string; readonly cname: string },
  until: Date,
) {
  return trx
    .selectFrom("domain_proofs")
    .select("cname_record")
    .where("domain", "=", key.domain)
    .where("cname_record", "!=", key.cname)
    .where("proven_at", "<=", until)
    .execute();
}

export async function deleteProofs(
  trx: Trx,
  domain: string,
  cnames: readonly string[],
): Promise<void> {
  if (cnames.length === 0) return;
  await trx
    .deleteFrom("domain_proofs")
    .where("domain", "=", domain)
    .where("cname_record", "in", [...cnames])
    .execute();
}

/** The user's proof of the name for the label, younger than `since`. */
export function selectProof(
  db: Executor,
  key: { readonly domain: string; readonly cname: string; readonly userId: string },
  since: Date,
) {
  return db
    .selectFrom("domain_proofs")
    .select(["proven_at", "supersedes"])
    .where("domain", "=", key.domain)
    .where("cname_record", "=", key.cname)
    .where("user_id", "=", key.userId)
    .where("proven_at", ">", since)
    .executeTakeFirst();
}

/** Whether the user has proven the name: by a shield they belong to, or lately by a look. */
export async function hasProven(
  db: Executor,
  userId: string,
  name: string,
  since: Date,
): Promise<boolean> {
  const claim = await db
    .selectFrom("shield_domains")
    .innerJoin("shields", "shields.id", "shield_domains.shield_id")
    .innerJoin("shield_members", "shield_members.shield_id", "shields.id")
    .select("shield_domains.id")
    .where("shield_domains.name", "=", name)
    .where("shield_domains.verified_at", "is not", null)
    .where("shield_domains.removed_at", "is", null)
    .where("shields.status", "!=", "deleted")
    .where("shield_members.user_id", "=", userId)
    .executeTakeFirst();
  if (claim !== undefined) return true;
  const proof = await db
    .selectFrom("domain_proofs")
    .select("domain")
    .where("domain", "=", name)
    .where("user_id", "=", userId)
    .where("proven_at", ">", since)
    .executeTakeFirst();
  return proof !== undefined;
}

export async function deleteProofsBefore(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom("domain_proofs").where("proven_at", "<=", before).execute();
}

/**
 * Unproven domains of active shields whose time has come, the longest waiting first. Their next
 * time is set in the same statement, so that two workers do not look at the same one.
 */
export function takeDueClaims(
  db: Db,
  now: Date,
  window: {
    readonly limit: number;
    readonly firstPauseSeconds: number;
    readonly pauseSecondsMax: number;
  },
) {
  return db
    .updateTable("shield_domains")
    .from("shields")
    .set({
      checks: sql<number>`shield_domains.checks + 1`,
      next_check_at: sql<Date>`${now}::timestamptz + make_interval(secs => least(
        ${window.firstPauseSeconds}::float8 * power(2, least(shield_domains.checks, 20)),
        ${window.pauseSecondsMax}::float8))`,
    })
    .whereRef("shields.id", "=", "shield_domains.shield_id")
    .where("shield_domains.id", "in", dueDomains(db, now, window.limit, "unproven"))
    .returning([
      "shield_domains.id",
      "shield_domains.name",
      "shield_domains.shield_id",
      "shields.cname_record",
      "shields.owner_id",
    ])
    .execute();
}

/**
 * Domains of active shields whose time to be looked at has come, the longest waiting first; locked,
 * and those that another worker has are left out.
 */
export function dueDomains(db: Db, now: Date, limit: number, which: "proven" | "unproven") {
  return db
    .selectFrom("shield_domains as due")
    .innerJoin("shields as owner", "owner.id", "due.shield_id")
    .select("due.id")
    .where("due.verified_at", which === "proven" ? "is not" : "is", null)
    .$if(which === "unproven", (query) => query.where("due.expired_at", "is", null))
    .where("due.removed_at", "is", null)
    .where("owner.status", "=", "active")
    .where((is) => is.or([is("due.next_check_at", "is", null), is("due.next_check_at", "<=", now)]))
    .orderBy("due.next_check_at", (order) => order.asc().nullsFirst())
    .limit(limit)
    .forUpdate("due")
    .skipLocked();
}

/** Claims of active shields that are unproven since before that moment. */
export function selectStaleClaims(db: Executor, before: Date, limit: number) {
  const since = sql<Date>`coalesce(shield_domains.unproven_since, shield_domains.created_at)`;
  return db
    .selectFrom("shield_domains")
    .innerJoin("shields", "shields.id", "shield_domains.shield_id")
    .select(["shield_domains.id", "shield_domains.shield_id"])
    .where("shield_domains.verified_at", "is", null)
    .where("shield_domains.expired_at", "is", null)
    .where("shield_domains.removed_at", "is", null)
    .where(since, "<=", before)
    .where("shields.status", "=", "active")
    .orderBy(since)
    .limit(limit)
    .execute();
}

/** @returns false if it was proven in between */
export async function expireClaim(trx: Trx, claimId: string, now: Date): Promise<boolean> {
  const result = await trx
    .updateTable("shield_domains")
    .set({ expired_at: now, notice: "ended" })
    .where("id", "=", claimId)
    .where("verified_at", "is", null)
    .where("expired_at", "is", null)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Unproven claims of the shield begin anew: looked at soon, with all their time to be proven. */
export async function renewClaims(trx: Trx, shieldId: string, now: Date): Promise<void> {
  await trx
    .updateTable("shield_domains")
    .set({ unproven_since: now, expired_at: null, checks: 0, next_check_at: null })
    .where("shield_id", "=", shieldId)
    .where("verified_at", "is", null)
    .where("removed_at", "is", null)
    .execute();
}

export async function selectProvenNames(trx: Trx, shieldId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom("shield_domains")
    .select("name")
    .where("shield_id", "=", shieldId)
    .where("verified_at", "is not", null)
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => name);
}

/** Domains whose deletion can be taken back no more. */
export async function deleteRemovedBefore(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom("shield_domains").where("removed_at", "<=", before).execute();
}
