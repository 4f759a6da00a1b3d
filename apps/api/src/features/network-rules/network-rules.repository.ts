import type { NetworkAction } from "@palisade/contract/edge/plain-values";
import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export type RuleRow = Omit<Selectable<Database["firewall_network_rules"]>, "shield_id">;

const columns = ["id", "country", "asn", "action", "note", "created_at", "expires_at"] as const;

/** Newest first. */
export function selectRules(db: Executor, shieldId: string): Promise<RuleRow[]> {
  return db
    .selectFrom("firewall_network_rules")
    .select(columns)
    .where("shield_id", "=", shieldId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** Names of networks, from the shield's own log, where players of them came to it lately. */
export async function selectNetworkNames(
  db: Executor,
  shieldId: string,
  { asns, since }: { readonly asns: readonly string[]; readonly since: Date },
): Promise<ReadonlyMap<string, string>> {
  if (asns.length === 0) return new Map();
  const { rows } = await sql<{ asn: string; network: string }>`
    select distinct on (asn) asn::text as asn, network from (
      select asn, network from login_entries
      where shield_id = ${shieldId} and "at" >= ${since}::timestamptz and network <> ''
      order by "at" desc limit ${namedLoginsMax}
    ) as latest
    where asn = any(${asns}::bigint[])
  `.execute(db);
  return new Map(rows.map(({ asn, network }) => [asn, network]));
}

/** So many of the newest logins are searched for names of networks. */
const namedLoginsMax = 20_000;

/**
 * The rule takes the place of one that has ended.
 *
 * @returns whether the shield had no other rule for that country or network
 */
export async function insertRule(
  trx: Trx,
  shieldId: string,
  row: RuleRow & { readonly action: NetworkAction },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("firewall_network_rules")
    .values({ ...row, shield_id: shieldId })
    .onConflict((conflict) =>
      conflict
        .constraint("firewall_network_rules_subject")
        .doUpdateSet(row)
        .where("firewall_network_rules.expires_at", "<=", row.created_at),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function countRules(trx: Trx, shieldId: string): Promise<number> {
  const { total } = await trx
    .selectFrom("firewall_network_rules")
    .select((eb) => eb.fn.countAll<string>().as("total"))
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Undefined where the shield has no such rule. */
export function deleteRule(
  trx: Trx,
  shieldId: string,
  ruleId: string,
): Promise<RuleRow | undefined> {
  return trx
    .deleteFrom("firewall_network_rules")
    .where("shield_id", "=", shieldId)
    .where("id", "=", ruleId)
    .returning(columns)
    .executeTakeFirst();
}

/**
 * Removes rules that ended before this moment.
 *
 * @returns whether there were any
 */
export async function deleteEnded(trx: Trx, shieldId: string, before: Date): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("firewall_network_rules")
    .where("shield_id", "=", shieldId)
    .where("expires_at", "<=", before)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
