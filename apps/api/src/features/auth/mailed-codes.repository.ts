import type { Db, Executor } from "#src/platform/database/db.ts";

/** Tables of codes sent by mail: each row is one code for one address, void once used or replaced. */
type CodeTable = "email_confirmations" | "password_resets";

/** Wrong guesses after which a code is void, counted over all callers, addresses and calls. */
export const triesMax = 5;

/** Statements on a mailed code after it was sent, the same for both tables. */
export function mailedCodes(name: CodeTable) {
  // Both tables have the columns used here; kysely does not type a choice of tables.
  const table = name as "password_resets";
  return {
    /**
     * Takes one of a code's tries, before it is compared. One statement on its own, so that of any
     * number of guesses at once no more than `triesMax` are ever evaluated.
     *
     * @returns the hash to compare with, or undefined where the code is void, expired or out of tries
     */
    takeTry: async (db: Db, id: string, now: Date): Promise<string | undefined> => {
      const row = await db
        .updateTable(table)
        .set((eb) => ({ tries: eb("tries", "+", 1) }))
        .where("id", "=", id)
        .where("tries", "<", triesMax)
        .where("void_at", "is", null)
        .where("expires_at", ">", now)
        .returning("code_hash")
        .executeTakeFirst();
      return row?.code_hash;
    },

    /** @returns false where another request has used the code first */
    use: async (executor: Executor, id: string, now: Date): Promise<boolean> => {
      const result = await executor
        .updateTable(table)
        .set({ void_at: now })
        .where("id", "=", id)
        .where("void_at", "is", null)
        .executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },

    /** Every code of the address. */
    voidAll: async (executor: Executor, emailKey: string, now: Date): Promise<void> => {
      await executor
        .updateTable(table)
        .set({ void_at: now })
        .where("email_key", "=", emailKey)
        .where("void_at", "is", null)
        .execute();
    },

    deleteExpired: async (executor: Executor, before: Date): Promise<void> => {
      await executor.deleteFrom(table).where("expires_at", "<", before).execute();
    },
  };
}
