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
  /** As whom the snapshot was taken: another node receives other shields. */
  edge_id: z.string(),
  /** The history its versions count in. */
  epoch: z.string(),
});
export type Origin = z.infer<typeof origin>;

const head = z.object({
  version: z.int().min(0),
  /** Shields on disk when the head was written: a lost file is noticed. */
  shields: z.int().min(0),
  /** Shields whose newest record was refused: a newer program may take them. */
  refused: z.int().min(0),
  /** Absent in stores written before there was one. */
  origin: origin.optional(),
});
export type Head = z.infer<typeof head>;

const record = z.object({
  shield_id: z.uuid(),
  revision: z.int().min(1),
  config: z.unknown(),
});

export interface LastGood {
  /** What the records on disk amount to; 0 where a snapshot must be asked for. */
  readonly version: number;
  /** Where the version is from; null where that is not known. */
  readonly origin: Origin | null;
  readonly records: readonly StreamRecord[];
  /** Zone DNS only. */
  readonly zone: unknown;
  /** Files that were torn or changed and are not used. */
  readonly damaged: readonly string[];
}

export interface LastGoodStore {
  /**
   * @param take gets each record as it is read, and none is in the answer then: a hundred thousand
   *   of them need not be in memory together
   */
  load(take?: (record: StreamRecord) => void): Promise<LastGood>;
  put(record: StreamRecord): Promise<void>;
  remove(shieldId: string): Promise<void>;
  putZone(zone: unknown): Promise<void>;
  /** States what the records on disk amount to. Written after them, so a crash between is an older version. */
  commit(head: Head): Promise<void>;
}

/** Files read in one go: much faster one after the other than through the thread pool. */
const readAtOnce = 256;

/**
 * The last good configuration on disk: a file per shield, never a rewrite of everything.
 * A crash at any moment leaves each file old or new, and a version that is not ahead of
 * the records. Calls for the same shield must not overlap.
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
        // Signals and timers have their turn in between.
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

/** Temporary files belong to a write that a crash cut short. */
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
