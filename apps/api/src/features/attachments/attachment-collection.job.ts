import { readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { FileStore } from "#src/platform/files/file-store.ts";
import { uploadFolderPrefix } from "#src/platform/http/pipeline/uploads.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { selectKnownKeys } from "./attachments.repository.ts";
import { keyPrefix } from "./attachments.service.ts";

const dayMs = 86_400_000;

export interface CollectionDeps {
  readonly db: Db;
  readonly files: FileStore;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Daily: removes files without a row. A process that dies between a file and its row leaves one, and so
 * does the deletion of an account. A file is written before its row, so young ones are left alone.
 */
export function attachmentCollectionJob(deps: CollectionDeps): JobDefinition<object> {
  return {
    name: "attachments.collect",
    retryLimit: 2,
    retryDelaySeconds: 300,
    tryLimitSeconds: 3_600,
    cron: "41 3 * * *",
    async run() {
      await collectFiles(deps);
      await collectFolders();
    },
  };
}

async function collectFiles({ db, files, clock, log }: CollectionDeps): Promise<void> {
  const now = clock.now().getTime();
  for await (const keys of files.list(keyPrefix)) {
    const old = keys.filter((key) => now - dayEnd(key) >= dayMs);
    for (let at = 0; at < old.length; at += 1_000) {
      const asked = old.slice(at, at + 1_000);
      const known = await selectKnownKeys(db, asked);
      for (const key of asked) {
        if (known.has(key)) continue;
        await files.remove(key);
        log.info({ key }, "A file without a row was removed");
      }
    }
  }
}

/** When the day in the key was over: the file is not younger. A key without a day is left alone. */
function dayEnd(key: string): number {
  const day = /^attachments\/(\d{4}-\d{2}-\d{2})\//.exec(key)?.[1];
  const start = day === undefined ? Number.NaN : Date.parse(day);
  return Number.isNaN(start) ? Infinity : start + dayMs;
}

/** Folders of uploads whose process died in the middle of a call. */
async function collectFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(uploadFolderPrefix)) continue;
    const folder = path.join(tmpdir(), name);
    const found = await stat(folder).catch(() => undefined);
    // By the machine's own clock, which made the folder's date.
    if (found === undefined || Date.now() - found.mtimeMs < dayMs) continue;
    await rm(folder, { recursive: true, force: true });
  }
}
