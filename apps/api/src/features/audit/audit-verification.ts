import { timingSafeEqual } from "node:crypto";
import type { Executor } from "#src/platform/database/db.ts";
import { genesisHash, hashEntry, hashWithoutKey, sealHead } from "./audit-chain.ts";
import type { AuditKeys } from "./audit-keys.ts";
import {
  findHead,
  listChains,
  readEntries,
  type ChainEnd,
  type ChainHead,
  type StoredEntry,
} from "./audit.repository.ts";

export interface AuditVerification {
  readonly chains: number;
  readonly rows: number;
  /** The first break of each chain that has one, one line each. */
  readonly breaks: readonly string[];
}

const batchRows = 1_000;

export async function verifyChains(
  executor: Executor,
  keys: AuditKeys,
  signal?: AbortSignal,
): Promise<AuditVerification> {
  const chains = await listChains(executor);
  const breaks: string[] = [];
  let rows = 0;
  for (const chain of chains) {
    const { end, found } = await verifyRows(executor, keys, chain, signal);
    const broken = found ?? endBreak(keys, chain, end, await findHead(executor, chain));
    rows += end.seq;
    if (broken !== undefined) breaks.push(`${chain}: ${broken}`);
  }
  return { chains: chains.length, rows, breaks };
}

/** Up to the first break, if there is one. */
async function verifyRows(
  executor: Executor,
  keys: AuditKeys,
  chain: string,
  signal?: AbortSignal,
): Promise<{ readonly end: ChainEnd; readonly found: string | undefined }> {
  let end: ChainEnd = { seq: 0, hash: genesisHash };
  // Rows without a key come before all others: behind them, they were forged.
  let hasKeys = false;
  for (;;) {
    signal?.throwIfAborted();
    const batch = await readEntries(executor, chain, end.seq, batchRows);
    for (const row of batch) {
      const found = rowBreak(keys, end, row, hasKeys);
      if (found !== undefined) return { end, found };
      hasKeys ||= row.keyId !== "";
      end = { seq: row.seq, hash: row.hash };
    }
    if (batch.length < batchRows) return { end, found: undefined };
  }
}

function rowBreak(keys: AuditKeys, end: ChainEnd, row: StoredEntry, hasKeys: boolean) {
  const { seq, previousHash, keyId } = row;
  if (seq !== end.seq + 1) return `row ${end.seq + 1} is missing`;
  if (keyId === "" && hasKeys) return `row ${seq} was made without the key`;
  const key = keyId === "" ? undefined : keys.find(keyId);
  if (keyId !== "" && key === undefined) return `row ${seq} has a key that is not known: ${keyId}`;
  const hash = key === undefined ? hashWithoutKey(row, row.entry) : hashEntry(key, row, row.entry);
  return previousHash === end.hash && isEqual(row.hash, hash)
    ? undefined
    : `row ${seq} was changed`;
}

function endBreak(keys: AuditKeys, chain: string, end: ChainEnd, head: ChainHead | undefined) {
  if (head === undefined) return "its head is missing";
  if (head.seq > end.seq) return `rows after ${end.seq} are missing`;
  if (head.seq !== end.seq || head.hash !== end.hash) return "its head does not fit its rows";
  return findHeadBreak(keys, chain, head);
}

/** Undefined for a genuine head, and for that of a chain without rows. */
export function findHeadBreak(keys: AuditKeys, chain: string, head: ChainHead): string | undefined {
  if (head.seq === 0) return undefined;
  if (head.seal === null || head.keyId === null) return "its head has no seal";
  const key = keys.find(head.keyId);
  if (key === undefined) return `its head has a key that is not known: ${head.keyId}`;
  const isGenuine = isEqual(head.seal, sealHead(key, { chain, seq: head.seq, hash: head.hash }));
  return isGenuine ? undefined : "its head was changed";
}

function isEqual(stored: string, computed: string): boolean {
  const [a, b] = [Buffer.from(stored), Buffer.from(computed)];
  return a.length === b.length && timingSafeEqual(a, b);
}
