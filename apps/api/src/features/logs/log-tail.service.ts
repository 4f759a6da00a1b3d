import { setTimeout as pause } from "node:timers/promises";
import type { TailLine } from "@palisade/contract/http/logs";
import type { Rights } from "@palisade/contract/http/member-rights";
import type { Db } from "#src/platform/database/db.ts";
import type { NdjsonWriter } from "#src/platform/http/ndjson-writer.ts";
import { selectArrived, type LoginFilter } from "./log-search.repository.ts";
import { presentLogin, type Reader } from "./logs.presenter.ts";

const lookMs = 400;
/** Entries of one look; there may be more only after the reader was slow. */
const entriesAtOnce = 500;
/**
 * An entry gets its id before its transaction commits, and another process's clock may be behind: so
 * long it is looked for again.
 */
const overlapMs = 5_000;
/** An edge reports a login within seconds. */
const minutesBack = 1;
/** After an outage it reports late ones, which are looked for less often; older ones are only in the list. */
const lateMinutesBack = 10;
const lateLookMs = 3_000;
const beatMs = 10_000;
/** So often the caller's rights are looked at again. */
const rightsMs = 5_000;

export interface LogTail {
  readonly shieldId: string;
  readonly filter: LoginFilter;
  readonly reader: Reader;
  /** The last entry that was received; undefined for those from now on. */
  readonly after: string | undefined;
  readonly seconds: number;
  readonly writer: NdjsonWriter;
  readonly signal: AbortSignal;
  /** The caller's rights as they are now; null where they may not see the shield. */
  readonly rights: () => Promise<Rights | null>;
}

/**
 * Writes the entries of a shield as they are stored, by whichever process. It looks into the
 * database, because a notification for each stored login would make all transactions wait for each
 * other; without readers it costs nothing.
 *
 * @throws Error where the reader stalls
 */
export async function serveTail(db: Db, tail: LogTail): Promise<void> {
  const { shieldId, filter, reader, writer, signal } = tail;
  const write = (line: TailLine) => writer.write(JSON.stringify(line));
  const endMs = performance.now() + tail.seconds * 1000;
  const seen = new RecentIds();
  const first = tail.after ?? idAt(Date.now());
  let from = tail.after === undefined ? first : earlier(tail.after);
  if (tail.after !== undefined) seen.add(tail.after);
  let wroteMs = performance.now();
  let checkedMs = wroteMs;
  let lookedForLateMs = Number.NEGATIVE_INFINITY;
  await write({ kind: "beat" });
  for (;;) {
    const lookedMs = performance.now();
    const isLast = lookedMs >= endMs;
    const isForLate = isLast || lookedMs - lookedForLateMs >= lateLookMs;
    if (isForLate) lookedForLateMs = lookedMs;
    const minutes = isForLate ? lateMinutesBack : minutesBack;
    const window = { after: from, minutes, limit: entriesAtOnce + seen.size };
    const rows = await selectArrived(db, shieldId, filter, window);
    const fresh = rows.filter(({ id }) => !seen.has(id));
    const shown = fresh.slice(-entriesAtOnce);
    if (shown.length > 0) {
      const entries = shown.map((row) => presentLogin(row, reader));
      await write({ kind: "entries", entries });
      wroteMs = performance.now();
    }
    for (const { id } of rows) seen.add(id);
    if (rows.length === window.limit) {
      // The reader was slow, or there are too many: go on with the newest.
      await write({ kind: "gap" });
      from = idAt(Date.now());
    } else if (isForLate) {
      // All that arrives after this look is for the next one of its kind.
      from = later(from, idAt(Date.now() - overlapMs));
      seen.forget(from);
    }
    if (isLast) break;
    const nowMs = performance.now();
    if (nowMs - wroteMs >= beatMs) {
      await write({ kind: "beat" });
      wroteMs = nowMs;
    }
    if (nowMs - checkedMs >= rightsMs) {
      checkedMs = nowMs;
      // It ends; the next call is refused, or answered by the new rights.
      if (!isSame(await tail.rights(), reader.rights)) break;
    }
    await pause(Math.max(0, Math.min(lookMs, endMs - nowMs)), undefined, { signal }).catch(
      () => undefined,
    );
    if (signal.aborted) break;
  }
  await write({ kind: "end" });
}

function isSame(a: Rights | null, b: Rights): boolean {
  return a !== null && a.logs === b.logs && a.addresses === b.addresses;
}

/** The smallest UUIDv7 of a time. */
export function idAt(ms: number): string {
  const hex = Math.max(0, Math.trunc(ms)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

function earlier(id: string): string {
  return idAt(Number.parseInt(id.replace("-", "").slice(0, 12), 16) - overlapMs);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

/** The ids that were sent within the overlap. */
class RecentIds {
  readonly #ids = new Set<string>();

  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
  }

  /** Those before `id` are not asked for again. */
  forget(id: string): void {
    for (const each of this.#ids) if (each < id) this.#ids.delete(each);
  }
}
