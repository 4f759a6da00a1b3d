import type { StaffUserState } from "@palisade/contract/http/staff-user-shapes";
import { sql, type RawBuilder } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A pattern for `like` that finds the text anywhere in what is stored in lower case. */
export function containing(text: string): string {
  return anywhere(text.toLowerCase());
}

function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, (each) => `\\${each}`)}%`;
}

/**
 * Whether a name as people wrote it contains the text. The database knows the case of ASCII letters
 * only, so that other letters are looked for as typed, in lower case, and with each word's first
 * letter in upper case.
 */
export function nameContains(name: RawBuilder<string | null>, text: string): RawBuilder<boolean> {
  const lower = text.toLowerCase();
  const title = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  const patterns = [...new Set([text, lower, title])].map((spelling) =>
    anywhere(spelling.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
  );
  return sql<boolean>`lower(${name}) like any(${patterns}::text[])`;
}

const stateOfUser = sql<StaffUserState>`
  case
    when users.deleted_at is not null then 'deleted'
    when users.blocked_at is not null then 'blocked'
    when users.email_verified_at is null then 'unconfirmed'
    else 'active'
  end`;

const nameOfUser = sql<string | null>`
  nullif(concat_ws(' ', profiles.first_name, profiles.last_name), '')`;

function balanceOfUser(kinds: readonly ("cash" | "bonus")[]) {
  return sql<string>`
    coalesce((
      select sum(b.cents) from ledger_accounts a
      join ledger_balances b on b.account_id = a.id
      where a.user_id = users.id and a.kind in (${sql.join(kinds)})
    ), 0)`;
}

export interface UserFilter {
  /** Part of an e-mail, a name or a shield's label, or a whole id. */
  readonly q?: string | undefined;
  readonly state?: StaffUserState | undefined;
}

function usersOf(db: Executor, { q = "", state }: UserFilter) {
  let query = db.selectFrom("users").leftJoin("profiles", "profiles.user_id", "users.id");
  if (state !== undefined) query = query.where(stateOfUser, "=", state);
  if (uuid.test(q)) {
    const id = q.toLowerCase();
    return query.where((eb) =>
      eb.or([
        eb("users.id", "=", id),
        eb.exists(
          eb
            .selectFrom("shields")
            .select("shields.id")
            .whereRef("shields.owner_id", "=", "users.id")
            .where("shields.id", "=", id),
        ),
      ]),
    );
  }
  if (q === "") return query;
  const pattern = containing(q);
  return query.where((eb) =>
    eb.or([
      eb("users.email_key", "like", pattern),
      nameContains(nameOfUser, q),
      eb("profiles.username_key", "like", pattern),
      eb.exists(
        eb
          .selectFrom("shields")
          .select("shields.id")
          .whereRef("shields.owner_id", "=", "users.id")
          .where("shields.cname_record", "like", pattern),
      ),
    ]),
  );
}

export type UserItemRow = Awaited<ReturnType<typeof selectUsers>>[number];

/** Newest accounts first. */
export function selectUsers(
  db: Executor,
  filter: UserFilter,
  window: { readonly limit: number; readonly offset: number },
) {
  return usersOf(db, filter)
    .select((eb) => [
      "users.id",
      "users.email",
      "users.role",
      "users.created_at",
      nameOfUser.as("name"),
      stateOfUser.as("state"),
      balanceOfUser(["cash", "bonus"]).as("cents"),
      eb
        .selectFrom("shields")
        .select((shields) => shields.fn.countAll<string>().as("count"))
        .whereRef("shields.owner_id", "=", "users.id")
        .where("shields.status", "<>", "deleted")
        .as("shields"),
    ])
    .orderBy("users.created_at", "desc")
    .orderBy("users.id", "desc")
    .limit(window.limit)
    .offset(window.offset)
    .execute();
}

export async function countUsers(db: Executor, filter: UserFilter): Promise<number> {
  const { rows } = await usersOf(db, filter)
    .select((eb) => eb.fn.countAll<string>().as("rows"))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

export type UserDetailRow = NonNullable<Awaited<ReturnType<typeof selectUser>>>;

export function selectUser(db: Executor, id: string) {
  return db
    .selectFrom("users")
    .leftJoin("profiles", "profiles.user_id", "users.id")
    .select((eb) => [
      "users.id",
      "users.email",
      "users.locale",
      "users.role",
      "users.staff_roles",
      "users.blocked_at",
      "users.email_verified_at",
      "users.first_login_at",
      "users.two_factor_enabled_at",
      "users.created_at",
      "profiles.username",
      "profiles.company_name",
      "profiles.country",
      nameOfUser.as("name"),
      stateOfUser.as("state"),
      balanceOfUser(["cash", "bonus"]).as("cents"),
      balanceOfUser(["bonus"]).as("bonus_cents"),
      eb
        .selectFrom("passkeys")
        .select((each) => each.fn.countAll<string>().as("count"))
        .whereRef("passkeys.user_id", "=", "users.id")
        .as("passkeys"),
      eb
        .selectFrom("api_keys")
        .select((each) => each.fn.countAll<string>().as("count"))
        .whereRef("api_keys.user_id", "=", "users.id")
        .where("api_keys.revoked_at", "is", null)
        .as("api_keys"),
      eb
        .selectFrom("tickets")
        .select((each) => each.fn.countAll<string>().as("count"))
        .whereRef("tickets.user_id", "=", "users.id")
        .as("tickets"),
      eb
        .selectFrom("tickets")
        .select((each) => each.fn.countAll<string>().as("count"))
        .whereRef("tickets.user_id", "=", "users.id")
        .where("tickets.status", "<>", "closed")
        .as("open_tickets"),
    ])
    .where("users.id", "=", id)
    .executeTakeFirst();
}

/** The shields that a user owns, then those they are a member of; deleted ones are left out. */
export function selectShieldsOf(db: Executor, userId: string) {
  return db
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select((eb) => [
      "shields.id",
      "shields.server_name",
      "shields.status",
      "shields.cname_record",
      "shields.owner_id",
      "pricing_plans.name as plan",
      eb
        .selectFrom("shield_domains")
        .select("shield_domains.name")
        .whereRef("shield_domains.shield_id", "=", "shields.id")
        .where("shield_domains.removed_at", "is", null)
        .orderBy("shield_domains.created_at")
        .limit(1)
        .as("domain"),
    ])
    .where("shields.status", "<>", "deleted")
    .where((eb) =>
      eb.or([
        eb("shields.owner_id", "=", userId),
        eb.exists(
          eb
            .selectFrom("shield_members")
            .select("shield_members.id")
            .whereRef("shield_members.shield_id", "=", "shields.id")
            .where("shield_members.user_id", "=", userId),
        ),
      ]),
    )
    .orderBy((eb) => eb("shields.owner_id", "=", userId), "desc")
    .orderBy("shields.created_at", "desc")
    .limit(100)
    .execute();
}

/** The shields that an account owns, by what a block needs. */
export function selectOwnShields(db: Executor, userId: string) {
  return db
    .selectFrom("shields")
    .select(["cname_record", "status", "blocked_reason"])
    .where("owner_id", "=", userId)
    .where("status", "<>", "deleted")
    .orderBy("id")
    .execute();
}

export async function setBlocked(trx: Trx, userId: string, at: Date | null): Promise<void> {
  await trx.updateTable("users").set({ blocked_at: at }).where("id", "=", userId).execute();
}

export async function hasPasskeys(trx: Trx, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom("passkeys")
    .select("id")
    .where("user_id", "=", userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
