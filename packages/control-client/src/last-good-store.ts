import { readFileSync } from "node:fs";
import { mkdir, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { StreamRecord } from "@palisade/contract/edge/stream";
import { z } from "zod";
import { replaceFile, syncFolder, temporarySuffix } from "./atomic-file.ts";
import type { Failpoint } from "./failpoint.ts";
import { decodeLastGood, encodeLastGood } from "./last-good-file.ts";

const recordSuffix = ".shield";
const headName = "head";
const zoneName = "zone";

const origin = z.object({
  /** Id of the credential that received the snapshot: another edge receives other shields. */
  edge_id: z.string(),
  /** The history to which the versions belong; it changes when the database is restored. */
  epoch: z.string(),
});
export type Origin = z.infer<typeof origin>;

const head = z.object({
  version: z.int().min(0),
  /** Number of shields on disk when the head was written, so that a lost file is noticed. */
  shields: z.int().min(0),
  /** Number of shields whose newest record was refused; a newer program may accept them. */
  refused: z.int().min(0),
  /** Absent in copies written by older releases. */
  origin: origin.optional(),
});
export type Head = z.infer<typeof head>;

const record = z.object({
  shield_id: z.uuid(),
  revision: z.int().min(1),
  config: z.unknown(),
});

export interface LastGood {
  /** The version of the records on disk; 0 when a snapshot is needed. */
  readonly version: number;
  /** The origin of the version; null when it is not known. */
  readonly origin: Origin | null;
  readonly records: readonly StreamRecord[];
  /** Zone DNS only. */
  readonly zone: unknown;
  /** Files that are torn or changed and therefore not used. */
  readonly damaged: readonly string[];
}

export interface LastGoodStore {
  /**
   * @param take is called with each record; the result then holds none, so that a hundred thousand
   *   records are never in memory together
   */
  load(take?: (record: StreamRecord) => void): Promise<LastGood>;
  put(record: StreamRecord): Promise<void>;
  remove(shieldId: string): Promise<void>;
  putZone(zone: unknown): Promise<void>;
  /** Writes the version of the records on disk. A crash before it leaves the older version. */
  commit(head: Head): Promise<void>;
}

/** Files read without a pause: synchronous reads are much faster than the thread pool. */
const readAtOnce = 256;

/**
 * The last good configuration on disk, in one file per shield. A crash at any moment leaves each file
 * old or new, and a version that is not ahead of the records. Calls for the same shield must not
 * overlap.
 *
 * Failpoints: `last_good.record` before a record's rename, `last_good.head` before the head's.
 */
export function createLastGoodStore(
  folder: string,
  failpoint: Failpoint = () => undefined,
): LastGoodStore {
  const write = (name: string, value: unknown): Promise<void> =>
    replaceFile(join(folder, name), encodeLastGood(JSON.stringify(value)), {
      beforeRename: () => failpoint(name === headName ? "last_good.head" : "last_good.record"),
    });

  return {
    async load(take) {
      await mkdir(folder, { recursive: true, mode: 0o750 });
      const names = await removeLeftovers(folder, await readdir(folder));
      const damaged: string[] = [];
      const read = <S extends z.ZodType>(name: string, schema: S): z.output<S> | null => {
        const value = readChecked(join(folder, name), schema);
        if (value === null) damaged.push(name);
        return value;
      };

      const records: StreamRecord[] = [];
      const keep = take ?? ((found: StreamRecord) => void records.push(found));
      let count = 0;
      const files = names.filter((name) => name.endsWith(recordSuffix));
      for (const [index, name] of files.entries()) {
        // Signals and timers run in between.
        if (index % readAtOnce === readAtOnce - 1) await setImmediate();
        const found = read(name, record);
        if (found === null) continue;
        if (`${found.shield_id}${recordSuffix}` === name) {
          count++;
          keep(found);
        } else damaged.push(name);
      }
      const zone = names.includes(zoneName) ? read(zoneName, z.unknown()) : null;
      const stated = names.includes(headName) ? read(headName, head) : null;
      const complete = damaged.length === 0 && stated?.shields === count && stated.refused === 0;
      const version = complete ? stated.version : 0;
      return { version, origin: stated?.origin ?? null, records, zone, damaged };
    },

    put: (record) => write(`${record.shield_id}${recordSuffix}`, record),

    async remove(shieldId) {
      await unlink(join(folder, `${shieldId}${recordSuffix}`)).catch((error: unknown) => {
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      });
    },

    putZone: (zone) => write(zoneName, zone),

    async commit(head) {
      await syncFolder(folder);
      await write(headName, head);
    },
  };
}

/** A temporary file belongs to a write that a crash interrupted. */
async function removeLeftovers(folder: string, names: readonly string[]): Promise<string[]> {
  const kept: string[] = [];
  for (const name of names) {
    if (name.endsWith(temporarySuffix)) await unlink(join(folder, name));
    else kept.push(name);
  }
  return kept;
}

function readChecked<S extends z.ZodType>(path: string, schema: S): z.output<S> | null {
  try {
    const payload = decodeLastGood(readFileSync(path));
    return payload === null ? null : schema.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}
