import type { Executor, Trx } from "#src/platform/database/db.ts";

/** The newest ones of an account are kept: programs log in again and again without a cookie. */
const keptMax = 20;

export interface CallerRow {
  readonly userId: string;
  readonly tokenHash: string;
  readonly network: string;
  readonly now: Date;
}

/** Whether the account of the address knows the device, and the network. */
export function selectFamiliarity(
  db: Executor,
  caller: { readonly emailKey: string; readonly tokenHash: string; readonly network: string },
) {
  return db
    .selectNoFrom((eb) => [
      eb
        .exists(
          eb
            .selectFrom("known_devices")
            .innerJoin("users", "users.id", "known_devices.user_id")
            .select("users.id")
            .where("users.email_key", "=", caller.emailKey)
            .where("known_devices.token_hash", "=", caller.tokenHash),
        )
        .as("device"),
      eb
        .exists(
          eb
            .selectFrom("known_networks")
            .innerJoin("users", "users.id", "known_networks.user_id")
            .select("users.id")
            .where("users.email_key", "=", caller.emailKey)
            .where("known_networks.network", "=", caller.network),
        )
        .as("network"),
    ])
    .executeTakeFirstOrThrow();
}

export async function upsertCaller(trx: Trx, row: CallerRow): Promise<void> {
  const { userId: user_id, tokenHash: token_hash, network, now } = row;
  const seen = { user_id, created_at: now, last_login_at: now };
  await trx
    .insertInto("known_devices")
    .values({ ...seen, token_hash })
    .onConflict((c) => c.columns(["user_id", "token_hash"]).doUpdateSet({ last_login_at: now }))
    .execute();
  await trx
    .insertInto("known_networks")
    .values({ ...seen, network })
    .onConflict((c) => c.columns(["user_id", "network"]).doUpdateSet({ last_login_at: now }))
    .execute();
}

/** Deletes all but the newest devices and networks of an account. */
export async function deleteSurplus(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom("known_devices")
    .where("user_id", "=", userId)
    .where("token_hash", "in", (eb) =>
      eb
        .selectFrom("known_devices")
        .select("token_hash")
        .where("user_id", "=", userId)
        .orderBy("last_login_at", "desc")
        .offset(keptMax),
    )
    .execute();
  await trx
    .deleteFrom("known_networks")
    .where("user_id", "=", userId)
    .where("network", "in", (eb) =>
      eb
        .selectFrom("known_networks")
        .select("network")
        .where("user_id", "=", userId)
        .orderBy("last_login_at", "desc")
        .offset(keptMax),
    )
    .execute();
}

export async function deleteOthers(
  trx: Trx,
  { userId, tokenHash, network }: Omit<CallerRow, "now">,
): Promise<void> {
  await trx
    .deleteFrom("known_devices")
    .where("user_id", "=", userId)
    .where("token_hash", "<>", tokenHash)
    .execute();
  await trx
    .deleteFrom("known_networks")
    .where("user_id", "=", userId)
    .where("network", "<>", network)
    .execute();
}

export async function deleteNotSeenSince(executor: Executor, before: Date): Promise<void> {
  for (const table of ["known_devices", "known_networks"] as const) {
    await executor.deleteFrom(table).where("last_login_at", "<", before).execute();
  }
}
