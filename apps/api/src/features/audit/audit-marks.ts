import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { AuditEntry } from "#src/platform/http/pipeline/audit-log.ts";
import {
  findMarkAfter,
  selectLostRows,
  selectUnmarkedHeads,
  updateMarkedSeqs,
  type MarkedHead,
} from "./audit-marks.repository.ts";

/**
 * A chain shows what was done to its rows, but not that it was removed whole, or set back to an end
 * that it once had. A mark is a row of one more chain: it names the ends that chains had at a time.
 */
export const marksChain = "marks";

const headsPerMark = 1_000;

/** Marks the chains that have new rows. @returns how many */
export async function markChains(
  db: Db,
  append: (trx: Trx, entry: AuditEntry) => Promise<void>,
  at: Date,
): Promise<number> {
  let marked = 0;
  for (;;) {
    const count = await db.transaction().execute(async (trx) => {
      const heads = await selectUnmarkedHeads(trx, marksChain, headsPerMark);
      if (heads.length === 0) return 0;
      await append(trx, markEntry(heads, at));
      await updateMarkedSeqs(trx, heads);
      return heads.length;
    });
    marked += count;
    if (count < headsPerMark) return marked;
  }
}

function markEntry(heads: readonly MarkedHead[], at: Date): AuditEntry {
  const id = newId();
  return {
    id,
    chain: marksChain,
    actorKind: "system",
    actorId: null,
    credential: null,
    method: "MARK",
    endpoint: "",
    fullUrl: JSON.stringify(heads),
    status: 0,
    ip: "",
    requestId: id,
    at,
  };
}

export interface Marks {
  /** The last marked row of each chain. */
  readonly lastSeqs: ReadonlyMap<string, number>;
  /** By chain, the first marked row that is not there any more. */
  readonly breaks: ReadonlyMap<string, string>;
}

/** Compares the rows with the marks, whose own chain was found whole before. */
export async function readMarks(executor: Executor, signal?: AbortSignal): Promise<Marks> {
  const lastSeqs = new Map<string, number>();
  const breaks = new Map<string, string>();
  let mark = await findMarkAfter(executor, marksChain, 0);
  while (mark !== undefined) {
    signal?.throwIfAborted();
    for (const { chain, seq } of await selectLostRows(executor, mark.heads)) {
      if (breaks.has(chain)) continue;
      breaks.set(chain, `row ${seq} is not the one that was marked at ${mark.at.toISOString()}`);
    }
    // As `markEntry` wrote it.
    for (const { chain, seq } of JSON.parse(mark.heads) as MarkedHead[]) lastSeqs.set(chain, seq);
    mark = await findMarkAfter(executor, marksChain, mark.seq);
  }
  return { lastSeqs, breaks };
}
