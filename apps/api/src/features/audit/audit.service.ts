import type { Db, Trx } from "#src/platform/database/db.ts";
import type { AuditEntry, AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import { newId } from "#src/platform/database/ids.ts";
import { hashEntry, sealHead } from "./audit-chain.ts";
import { createAuditKeys, type AuditKeys, type AuditSecrets } from "./audit-keys.ts";
import { markChains } from "./audit-marks.ts";
import {
  insertDuration,
  insertEntry,
  insertStaffAction,
  lockHead,
  updateHead,
} from "./audit.repository.ts";
import {
  findHeadBreak,
  verifyChains,
  type AuditVerification,
  type VerificationOptions,
} from "./audit-verification.ts";

/** The log of the installation that has these secrets. */
export function openAuditLog(db: Db, secrets: AuditSecrets): AuditLog {
  const keys = createAuditKeys(secrets);
  return {
    async lock(trx, chain) {
      await lockHead(trx, chain);
    },
    append: (trx, entry) => append(trx, keys, entry),
    recordDuration: (auditId, durationMs) => insertDuration(db, auditId, durationMs),
  };
}

/**
 * A head that was tampered with gets no seal again, or the next row would make what is left of the
 * chain look whole.
 */
async function append(trx: Trx, keys: AuditKeys, entry: AuditEntry): Promise<void> {
  const { chain } = entry;
  const head = await lockHead(trx, chain);
  const { current: key } = keys;
  const seq = head.seq + 1;
  const hash = hashEntry(key, { previousHash: head.hash, seq }, entry);
  await insertEntry(trx, entry, { seq, previousHash: head.hash, hash, keyId: key.id });
  if (entry.staffAction !== undefined) await insertStaffAction(trx, entry, entry.staffAction);
  const isGenuine = findHeadBreak(keys, chain, head) === undefined;
  const seal = isGenuine ? sealHead(key, { chain, seq, hash }) : null;
  await updateHead(trx, chain, { seq, hash, keyId: isGenuine ? key.id : null, seal });
}

/**
 * Recomputes every chain in a snapshot of the database, so that new rows do not look like breaks.
 * Finds forged, changed, moved and removed rows, even where the owner of the database rewrote a
 * chain to its end, because that takes the installation's secret.
 *
 * @throws the reason that `options.signal` was aborted with
 */
export function verifyAuditLog(
  db: Db,
  secrets: AuditSecrets,
  options: VerificationOptions = {},
): Promise<AuditVerification> {
  const keys = createAuditKeys(secrets);
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((trx) => verifyChains(trx, keys, options));
}

/** To be called each hour: from then on the chains cannot be removed or set back unnoticed. */
export function markAuditLog(db: Db, secrets: AuditSecrets, now: Date): Promise<number> {
  const keys = createAuditKeys(secrets);
  return markChains(db, (trx, entry) => append(trx, keys, entry), now);
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
