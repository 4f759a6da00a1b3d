import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import {
  attachmentFilesMax,
  attachmentTypes,
  imageTypes,
  type AttachmentType,
} from "@palisade/contract/http/attachment-rules";
import type { TextKey } from "@palisade/contract/texts/en";
import type { Logger } from "pino";
import { newId } from "#src/platform/database/ids.ts";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { FileStore } from "#src/platform/files/file-store.ts";
import { shownName, type Upload } from "#src/platform/http/pipeline/uploads.ts";
import {
  insertAttachments,
  selectUsage,
  type AttachmentRow,
  type NewAttachment,
} from "./attachments.repository.ts";
import { detectType } from "./detect-type.ts";
import { safeFileName } from "./file-name.ts";
import { redrawImage } from "./redraw-image.ts";
import type { ScanFile } from "./virus-scanner.ts";

export { selectAttachment, selectAttachmentsOf } from "./attachments.repository.ts";
export type { AttachmentRow } from "./attachments.repository.ts";
export { contentDisposition } from "./file-name.ts";

/** Per account, over all of its tickets. */
export const quota = { files: 2_000, bytes: 500 * 1024 * 1024 } as const;

/** Files that are in the store, and wait for their rows. */
export type PreparedFiles = readonly NewAttachment[];

export interface Attachments {
  /**
   * Checks the files and puts them into the store, outside any transaction.
   *
   * @param allowed the types that the form takes
   * @throws DomainError with the name of the file that is refused
   */
  prepare(
    uploads: readonly Upload[],
    order: {
      readonly allowed: readonly AttachmentType[];
      /** The account whose quota they count in; null for none. */
      readonly userId: string | null;
      readonly now: Date;
    },
  ): Promise<PreparedFiles>;
  /** Removes files that got no rows. */
  discard(files: PreparedFiles): Promise<void>;
  /** @throws Error where the store does not have it */
  read(row: Pick<AttachmentRow, "storage_key">): Promise<Readable>;
}

export interface AttachmentsDeps {
  readonly db: Db;
  readonly files: FileStore;
  /** Null: files are not scanned for viruses. */
  readonly scan: ScanFile | null;
  readonly log: Logger;
  readonly failpoint: Failpoint;
}

/** Keys begin with it, and go on with the day and random characters. */
export const keyPrefix = "attachments";

export function createAttachments(deps: AttachmentsDeps): Attachments {
  const { db, files, scan, log } = deps;

  async function prepareFile(
    upload: Upload,
    allowed: readonly AttachmentType[],
    now: Date,
  ): Promise<NewAttachment> {
    const given = await readFile(upload.path);
    const type = detectType(given, upload.name);
    if (type === null || !allowed.includes(type)) throw refused("attachment.type", upload);
    if (scan !== null) await requireClean(scan, upload);
    const bytes = isImage(type) ? await redrawImage(type, given) : given;
    if (bytes === null) throw refused("attachment.type", upload);
    const { contentType } = attachmentTypes[type];
    const key = newKey(now);
    await files.put({ key, bytes, contentType }).catch((cause: unknown) => {
      throw new DomainError("unavailable", { cause, retryAfterSeconds: 5 });
    });
    return {
      id: newId(),
      original_name: safeFileName(upload.name, type),
      type,
      size_bytes: bytes.length,
      storage_key: key,
    };
  }

  async function requireClean(scanFile: ScanFile, upload: Upload): Promise<void> {
    let virus: string | null;
    try {
      virus = await scanFile(upload.path);
    } catch (cause) {
      throw new DomainError("unavailable", { text: "attachment.unchecked", cause });
    }
    if (virus === null) return;
    log.warn({ virus }, "A file with a virus was refused");
    throw refused("attachment.infected", upload);
  }

  async function discard(prepared: PreparedFiles): Promise<void> {
    for (const { storage_key: key } of prepared) {
      // The collection of files without a row finds it again.
      await files
        .remove(key)
        .catch((error: unknown) => log.warn({ err: error }, "A file was not removed"));
    }
  }

  return {
    discard,
    read: ({ storage_key: key }) => files.read(key),
    async prepare(uploads, { allowed, userId, now }) {
      requireFew(uploads);
      const room = uploads.reduce((sum, { bytes }) => sum + bytes, 0);
      if (userId !== null && uploads.length > 0) {
        await requireRoom(db, userId, { files: uploads.length, bytes: room });
      }
      const prepared: NewAttachment[] = [];
      try {
        for (const upload of uploads) prepared.push(await prepareFile(upload, allowed, now));
        if (prepared.length > 0) deps.failpoint("attachments.stored");
      } catch (error) {
        await discard(prepared);
        throw error;
      }
      return prepared;
    },
  };
}

/**
 * Writes the rows of prepared files. The caller holds the account's row where `hasQuota`, so that two
 * calls at once do not take the same room.
 *
 * @throws DomainError `attachment_quota`
 */
export async function keepAttachments(
  trx: Trx,
  files: PreparedFiles,
  owner: {
    readonly ticketId: string;
    readonly messageId: string;
    readonly userId: string;
    readonly hasQuota: boolean;
    readonly now: Date;
  },
): Promise<void> {
  if (files.length === 0) return;
  if (owner.hasQuota) {
    const bytes = files.reduce((sum, file) => sum + file.size_bytes, 0);
    await requireRoom(trx, owner.userId, { files: files.length, bytes });
  }
  await insertAttachments(trx, files, {
    ticket_id: owner.ticketId,
    message_id: owner.messageId,
    user_id: owner.userId,
    created_at: owner.now,
  });
}

export function isImage(type: AttachmentType): type is "png" | "jpeg" {
  return imageTypes.includes(type);
}

async function requireRoom(
  db: Executor,
  userId: string,
  added: { readonly files: number; readonly bytes: number },
): Promise<void> {
  const used = await selectUsage(db, userId);
  if (used.files + added.files > quota.files || used.bytes + added.bytes > quota.bytes) {
    throw new DomainError("attachment_quota");
  }
}

function requireFew(uploads: readonly Upload[]): void {
  if (uploads.length > attachmentFilesMax) {
    throw new DomainError("attachment_refused", { text: "attachment.max" });
  }
  const seen = new Set<string>();
  for (const upload of uploads) {
    const same = `${upload.sha256} ${upload.name}`;
    if (seen.has(same)) throw refused("attachment.duplicate", upload);
    seen.add(same);
  }
}

function refused(text: TextKey, { name }: Upload): DomainError {
  return new DomainError("attachment_refused", { text, values: { file: shownName(name) } });
}

/** Nothing of the name or the account is in it. */
function newKey(now: Date): string {
  const day = now.toISOString().slice(0, 10);
  return `${keyPrefix}/${day}/${randomBytes(20).toString("hex")}`;
}
