import type { Db } from "#src/platform/database/db.ts";
import type { AuditEntry, AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import { newId } from "#src/platform/database/ids.ts";
import { genesisHash, hashEntry } from "./audit-chain.ts";
import {
  findHead,
  insertDuration,
  insertEntry,
  listChains,
  lockHead,
  readEntries,
} from "./audit.repository.ts";

export function createAuditLog(db: Db): AuditLog {
  return {
    async lock(trx, chain) {
      await lockHead(trx, chain);
    },
    async append(trx, entry) {
      const head = await lockHead(trx, entry.chain);
      const seq = head.seq + 1;
      const hash = hashEntry(head.hash, seq, entry);
      await insertEntry(trx, entry, { seq, previousHash: head.hash, hash });
    },
    recordDuration: (auditId, durationMs) => insertDuration(db, auditId, durationMs),
  };
}

/** The row of a change that the operator made on the command line. */
export function commandEntry(
  command: string,
  row: { readonly chain: string; readonly status: number; readonly at: Date },
): AuditEntry {
  const id = newId();
  return {
    ...row,
    id,
    actorKind: "system",
    actorId: null,
    credential: null,
    method: "CLI",
    endpoint: command,
    fullUrl: "",
    ip: "",
    requestId: id,
  };
}

export interface AuditVerification {
  readonly chains: number;
  readonly rows: number;
  /** The first break of each chain that has one, one line each. */
  readonly breaks: readonly string[];
}

const batchRows = 1_000;

/**
 * Recomputes every chain in a snapshot of the database, so that new rows do not look like breaks.
 * Finds changed, removed, added and reordered rows. It cannot find a chain that was rewritten to
 * its end together with its head.
 *
 * @throws the reason that `signal` was aborted with
 */
export function verifyAuditLog(db: Db, signal?: AbortSignal): Promise<AuditVerification> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const chains = await listChains(trx);
      const breaks: string[] = [];
      let rows = 0;
      for (const chain of chains) {
        const result = await verifyChain(trx, chain, signal);
        rows += result.rows;
        if (result.break !== undefined) breaks.push(`${chain}: ${result.break}`);
      }
      return { chains: chains.length, rows, breaks };
    });
}

async function verifyChain(
  trx: Db,
  chain: string,
  signal?: AbortSignal,
): Promise<{ rows: number; break: string | undefined }> {
  let seq = 0;
  let hash = genesisHash;
  for (;;) {
    signal?.throwIfAborted();
    const batch = await readEntries(trx, chain, seq, batchRows);
    for (const row of batch) {
      if (row.seq !== seq + 1) return { rows: seq, break: `row ${seq + 1} is missing` };
      const isGenuine =
        row.previousHash === hash && row.hash === hashEntry(hash, row.seq, row.entry);
      if (!isGenuine) return { rows: seq, break: `row ${row.seq} was changed` };
      seq = row.seq;
      hash = row.hash;
    }
    if (batch.length < batchRows) break;
  }
  const head = await findHead(trx, chain);
  if (head === undefined) return { rows: seq, break: "its head is missing" };
  if (head.seq > seq) return { rows: seq, break: `rows after ${seq} are missing` };
  const fits = head.seq === seq && head.hash === hash;
  return { rows: seq, break: fits ? undefined : "its head does not fit its rows" };
}
