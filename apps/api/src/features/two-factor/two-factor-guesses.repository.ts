import { sql } from "kysely";
import type { Db, Executor } from "#src/platform/database/db.ts";
import type { TwoFactorGuessesTable } from "#src/schema/accounts.ts";

export type GuessScope = TwoFactorGuessesTable["place"];

const short = { max: 5, windowMs: 600_000 };
const day = { max: 30, windowMs: 86_400_000 };

/**
 * Takes one of an account's guesses, before the code is compared: one statement on its own, so
 * that of any number at once no more than the limits allow are ever evaluated.
 *
 * @returns null, or from when on there is a guess again
 */
export async function takeGuess(
  db: Db,
  userId: string,
  place: GuessScope,
  now: Date,
): Promise<Date | null> {
  const shortOver = sql<boolean>`two_factor_guesses.short_ends_at <= ${now}`;
  const dayOver = sql<boolean>`two_factor_guesses.day_ends_at <= ${now}`;
  const taken = await db
    .insertInto("two_factor_guesses")
    .values({
      user_id: userId,
      place,
      short_guesses: 1,
      short_ends_at: new Date(now.getTime() + short.windowMs),
      day_guesses: 1,
      day_ends_at: new Date(now.getTime() + day.windowMs),
    })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "place"])
        .doUpdateSet({
          short_guesses: sql`case when ${shortOver} then 1 else two_factor_guesses.short_guesses + 1 end`,
          short_ends_at: sql`case when ${shortOver} then excluded.short_ends_at else two_factor_guesses.short_ends_at end`,
          day_guesses: sql`case when ${dayOver} then 1 else two_factor_guesses.day_guesses + 1 end`,
          day_ends_at: sql`case when ${dayOver} then excluded.day_ends_at else two_factor_guesses.day_ends_at end`,
        })
        .where(sql<boolean>`(${shortOver} or two_factor_guesses.short_guesses < ${short.max})`)
        .where(sql<boolean>`(${dayOver} or two_factor_guesses.day_guesses < ${day.max})`),
    )
    .returning("user_id")
    .executeTakeFirst();
  return taken === undefined ? nextGuessAt(db, userId, place, now) : null;
}

async function nextGuessAt(db: Db, userId: string, place: GuessScope, now: Date): Promise<Date> {
  const row = await db
    .selectFrom("two_factor_guesses")
    .selectAll()
    .where("user_id", "=", userId)
    .where("place", "=", place)
    .executeTakeFirst();
  if (row === undefined) return now;
  return row.day_guesses >= day.max && row.day_ends_at > now ? row.day_ends_at : row.short_ends_at;
}

/** The code was right, hence no guess. */
export async function returnGuess(
  executor: Executor,
  userId: string,
  place: GuessScope,
): Promise<void> {
  await executor
    .updateTable("two_factor_guesses")
    .set({
      short_guesses: sql`greatest(short_guesses - 1, 0)`,
      day_guesses: sql`greatest(day_guesses - 1, 0)`,
    })
    .where("user_id", "=", userId)
    .where("place", "=", place)
    .execute();
}

/** Gives back the short window's guesses. */
export async function resetShortGuesses(executor: Executor, userId: string): Promise<void> {
  await executor
    .updateTable("two_factor_guesses")
    .set({ short_guesses: 0 })
    .where("user_id", "=", userId)
    .execute();
}

/** Gives back the day's guesses, unless that was already done within a day. */
export async function resetDayGuesses(
  executor: Executor,
  userId: string,
  now: Date,
): Promise<void> {
  const dayAgo = new Date(now.getTime() - day.windowMs);
  await executor
    .updateTable("two_factor_guesses")
    .set({ day_guesses: 0, forgiven_at: now })
    .where("user_id", "=", userId)
    .where("day_guesses", ">", 0)
    .where((eb) => eb.or([eb("forgiven_at", "is", null), eb("forgiven_at", "<=", dayAgo)]))
    .execute();
}

/** Two-factor is off, so no guesses are counted any more. */
export async function clearGuesses(executor: Executor, userId: string): Promise<void> {
  await executor.deleteFrom("two_factor_guesses").where("user_id", "=", userId).execute();
}
