import type { Selectable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { AuditEntry, StaffAction } from "#src/platform/http/pipeline/audit-log.ts";
import type { AuditHeadsTable } from "#src/schema/audit.ts";
import { genesisHash } from "./audit-chain.ts";

/** The end of a chain. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

/** The key and what was made with it; both null where the head has no seal. */
interface Seal {
  readonly keyId: string | null;
  readonly seal: string | null;
}

export type ChainHead = ChainEnd &
  Seal & {
    /** The last row that a mark names. */
    readonly markedSeq: number;
  };

export interface StoredEntry {
  readonly seq: number;
  readonly previousHash: string;
  readonly hash: string;
  /** Empty: the row has no key. */
  readonly keyId: string;
  readonly entry: AuditEntry;
}

/** Makes the chain where it is new, and holds its head until the transaction ends. */
export async function lockHead(trx: Trx, chain: string): Promise<ChainHead> {
  const head = await trx
    .insertInto("audit_heads")
    .values({ chain, seq: 0, hash: genesisHash })
    .onConflict((conflict) =>
      conflict.column("chain").doUpdateSet((eb) => ({ seq: eb.ref("audit_heads.seq") })),
    )
    .returning(headColumns)
    .executeTakeFirstOrThrow();
  return toHead(head);
}

const headColumns = ["seq", "hash", "key_id", "seal", "marked_seq"] as const;

function toHead(row: Pick<Selectable<AuditHeadsTable>, (typeof headColumns)[number]>): ChainHead {
  const { hash, seal } = row;
  return { seq: Number(row.seq), hash, keyId: row.key_id, seal, markedSeq: Number(row.marked_seq) };
}

export async function insertStaffAction(
  trx: Trx,
  { id, actorId, status, at }: AuditEntry,
  { route, subjects, reason }: StaffAction,
): Promise<void> {
  await trx
    .insertInto("staff_actions")
    .values({
      audit_id: id,
      staff_id: actorId,
      route,
      subjects: JSON.stringify(subjects),
      reason,
      response_status: status,
      created_at: at,
    })
    .execute();
}

export async function insertEntry(
  trx: Trx,
  entry: AuditEntry,
  link: Pick<StoredEntry, "seq" | "previousHash" | "hash" | "keyId">,
): Promise<void> {
  await trx
    .insertInto("audit_log")
    .values({
      id: entry.id,
      chain: entry.chain,
      seq: link.seq,
      previous_hash: link.previousHash,
      hash: link.hash,
      key_id: link.keyId,
      actor_kind: entry.actorKind,
      actor_id: entry.actorId,
      credential: entry.credential,
      method: entry.method,
      endpoint: entry.endpoint,
      full_url: entry.fullUrl,
      response_status: entry.status,
      ip: entry.ip,
      request_id: entry.requestId,
      created_at: entry.at,
    })
    .execute();
}

export async function updateHead(
  trx: Trx,
  chain: string,
  head: Omit<ChainHead, "markedSeq">,
): Promise<void> {
  await trx
    .updateTable("audit_heads")
    .set({ seq: head.seq, hash: head.hash, key_id: head.keyId, seal: head.seal })
    .where("chain", "=", chain)
    .execute();
}

export async function insertDuration(
  executor: Executor,
  auditId: string,
  durationMs: number,
): Promise<void> {
  await executor
    .insertInto("audit_durations")
    .values({ audit_id: auditId, duration_ms: durationMs })
    .execute();
}

/** Chains that have a head or rows, in order. */
export async function listChains(executor: Executor): Promise<string[]> {
  const rows = await executor
    .selectFrom("audit_heads")
    .select("chain")
    .union(executor.selectFrom("audit_log").select("chain"))
    .orderBy("chain")
    .execute();
  return rows.map((row) => row.chain);
}

export async function findHead(executor: Executor, chain: string): Promise<ChainHead | undefined> {
  const head = await executor
    .selectFrom("audit_heads")
    .select(headColumns)
    .where("chain", "=", chain)
    .executeTakeFirst();
  return head === undefined ? undefined : toHead(head);
}

export async function readEntries(
  executor: Executor,
  chain: string,
  afterSeq: number,
  limit: number,
): Promise<StoredEntry[]> {
  const rows = await executor
    .selectFrom("audit_log")
    .selectAll()
    .where("chain", "=", chain)
    .where("seq", ">", String(afterSeq))
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    seq: Number(row.seq),
    previousHash: row.previous_hash,
    hash: row.hash,
    keyId: row.key_id,
    entry: {
      id: row.id,
      chain: row.chain,
      actorKind: row.actor_kind,
      actorId: row.actor_id,
      credential: row.credential,
      method: row.method,
      endpoint: row.endpoint,
      fullUrl: row.full_url,
      status: row.response_status,
      ip: row.ip,
      requestId: row.request_id,
      at: row.created_at,
    },
  }));
}
