import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";

/** The end of a chain, as a mark names it. */
export interface MarkedHead {
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
}

/**
 * Ends of chains that have rows since their last mark, held until `trx` ends. Chains that are being
 * written to are left for the next time.
 */
export async function selectUnmarkedHeads(
  trx: Trx,
  except: string,
  limit: number,
): Promise<MarkedHead[]> {
  const rows = await trx
    .selectFrom("audit_heads")
    .select(["chain", "seq", "hash"])
    .whereRef("seq", ">", "marked_seq")
    .where("chain", "<>", except)
    .orderBy("chain")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ chain, seq, hash }) => ({ chain, seq: Number(seq), hash }));
}

export async function updateMarkedSeqs(trx: Trx, heads: readonly MarkedHead[]): Promise<void> {
  await sql`
    update audit_heads head set marked_seq = given.seq
    from jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) as given (chain text, seq bigint)
    where head.chain = given.chain
  `.execute(trx);
}

/** The next mark of the chain; `heads` is JSON text of `MarkedHead`s. */
export async function findMarkAfter(
  executor: Executor,
  chain: string,
  seq: number,
): Promise<{ readonly seq: number; readonly at: Date; readonly heads: string } | undefined> {
  const row = await executor
    .selectFrom("audit_log")
    .select(["seq", "created_at", "full_url"])
    .where("chain", "=", chain)
    .where("seq", ">", String(seq))
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  return row && { seq: Number(row.seq), at: row.created_at, heads: row.full_url };
}

/** Marked rows that are not there as they were marked. @param heads JSON text of `MarkedHead`s */
export async function selectLostRows(
  executor: Executor,
  heads: string,
): Promise<readonly Pick<MarkedHead, "chain" | "seq">[]> {
  const { rows } = await sql<{ chain: string; seq: string }>`
    select marked.chain, marked.seq
    from jsonb_to_recordset(${heads}::jsonb) as marked (chain text, seq bigint, hash text)
    left join audit_log log on log.chain = marked.chain and log.seq = marked.seq
    where log.hash is distinct from marked.hash
    order by marked.chain
  `.execute(executor);
  return rows.map(({ chain, seq }) => ({ chain, seq: Number(seq) }));
}
