import { timingSafeEqual } from "node:crypto";
import type { Executor } from "#src/platform/database/db.ts";
import { genesisHash, hashEntry, sealHead } from "./audit-chain.ts";
import type { AuditKeys } from "./audit-keys.ts";
import { marksChain, readMarks, type Marks } from "./audit-marks.ts";
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
  /** The newest mark, as `seq:hash`: kept elsewhere, it shows later that no mark was taken off. */
  readonly mark: string | undefined;
}

export interface VerificationOptions {
  readonly signal?: AbortSignal | undefined;
  /** An earlier result's. */
  readonly mark?: string | undefined;
}

const batchRows = 1_000;

export async function verifyChains(
  executor: Executor,
  keys: AuditKeys,
  { signal, mark }: VerificationOptions,
): Promise<AuditVerification> {
  const ofMarks = await verifyChain({ executor, keys, signal }, marksChain);
  // Marks that were tampered with prove nothing, and are a break themselves.
  const marks = ofMarks.found === undefined ? await readMarks(executor, signal) : undefined;
  const known = new Set([...(await listChains(executor)), ...(marks?.lastSeqs.keys() ?? [])]);
  const breaks: string[] = [];
  let rows = 0;
  for (const chain of [...known].toSorted()) {
    const { end, found } =
      chain === marksChain ? ofMarks : await verifyChain({ executor, keys, signal, marks }, chain);
    rows += end.seq;
    if (found !== undefined) breaks.push(`${chain}: ${found}`);
  }
  if (mark !== undefined && !(await hasMark(executor, mark))) {
    breaks.push(`${marksChain}: the mark ${mark} is missing`);
  }
  const { seq, hash } = ofMarks.end;
  return { chains: known.size, rows, breaks, mark: seq === 0 ? undefined : `${seq}:${hash}` };
}

async function hasMark(executor: Executor, mark: string): Promise<boolean> {
  const [seq, hash] = mark.split(":");
  if (seq === undefined || !/^\d{1,15}$/.test(seq)) return false;
  const [row] = await readEntries(executor, marksChain, Number(seq) - 1, 1);
  return row?.seq === Number(seq) && row.hash === hash;
}

interface Verification {
  readonly executor: Executor;
  readonly keys: AuditKeys;
  readonly signal: AbortSignal | undefined;
  readonly marks?: Marks | undefined;
}

/** Up to the first break, if there is one. */
async function verifyChain(
  { executor, keys, signal, marks }: Verification,
  chain: string,
): Promise<{ readonly end: ChainEnd; readonly found: string | undefined }> {
  let end: ChainEnd = { seq: 0, hash: genesisHash };
  for (;;) {
    signal?.throwIfAborted();
    const batch = await readEntries(executor, chain, end.seq, batchRows);
    for (const row of batch) {
      const found = rowBreak(keys, end, row);
      if (found !== undefined) return { end, found };
      end = { seq: row.seq, hash: row.hash };
    }
    if (batch.length === batchRows) continue;
    const head = await findHead(executor, chain);
    const found = marks?.breaks.get(chain) ?? endBreak(keys, chain, end, head);
    return { end, found: found ?? markBreak(chain, head, marks) };
  }
}

function rowBreak(keys: AuditKeys, end: ChainEnd, row: StoredEntry) {
  const { seq, previousHash, keyId } = row;
  if (seq !== end.seq + 1) return `row ${end.seq + 1} is missing`;
  if (keyId === "") return `row ${seq} was made without a key`;
  const key = keys.find(keyId);
  if (key === undefined) return `row ${seq} has a key that is not known: ${keyId}`;
  const isWhole = previousHash === end.hash && isEqual(row.hash, hashEntry(key, row, row.entry));
  return isWhole ? undefined : `row ${seq} was changed`;
}

/** A head that says it was marked, but was not, would never be. */
function markBreak(chain: string, head: ChainHead | undefined, marks: Marks | undefined) {
  if (marks === undefined || head === undefined) return undefined;
  const marked = marks.lastSeqs.get(chain) ?? 0;
  return head.markedSeq === marked ? undefined : "a mark of it is missing";
}

function endBreak(keys: AuditKeys, chain: string, end: ChainEnd, head: ChainHead | undefined) {
  if (head === undefined) return end.seq === 0 ? undefined : "its head is missing";
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
