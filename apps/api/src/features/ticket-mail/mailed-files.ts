import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { attachmentFilesMax, sentTypes } from "@palisade/contract/http/attachment-rules";
import type { Attachments, PreparedFiles } from "#src/features/attachments/attachments.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { shownName, type Upload } from "#src/platform/http/pipeline/uploads.ts";
import type { MailFile } from "./reading/read-mail.ts";

export interface PreparedMailFiles {
  readonly kept: PreparedFiles;
  /** Names of the files that the rules refuse. */
  readonly refused: readonly string[];
}

/** Files of mails, by the rules of replies in the console. */
export interface MailedFiles {
  prepare(files: readonly MailFile[], userId: string): Promise<PreparedMailFiles>;
  discard(files: PreparedMailFiles): Promise<void>;
}

export function createMailedFiles(
  attachments: Pick<Attachments, "prepare" | "discard">,
  clock: Clock,
): MailedFiles {
  return {
    discard: ({ kept }) => attachments.discard(kept),
    async prepare(files, userId) {
      if (files.length === 0) return { kept: [], refused: [] };
      // For its owner alone (0700), as the files of forms.
      const folder = await mkdtemp(path.join(tmpdir(), "palisade-mail-"));
      const kept: PreparedFiles[number][] = [];
      const refused: string[] = [];
      const seen = new Set<string>();
      try {
        for (const [index, file] of files.entries()) {
          const upload = await writeUpload(path.join(folder, String(index)), file);
          // Sent twice by the program of the customer: once is enough.
          if (upload !== null && seen.has(upload.sha256)) continue;
          if (upload !== null) seen.add(upload.sha256);
          const prepared =
            upload === null || kept.length === attachmentFilesMax
              ? null
              : await prepareOne(attachments, upload, userId, clock.now());
          if (prepared === null) refused.push(shownName(file.name));
          else kept.push(...prepared);
        }
      } catch (error) {
        await attachments.discard(kept);
        throw error;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
      return { kept, refused };
    },
  };
}

async function writeUpload(file: string, { name, content }: MailFile): Promise<Upload | null> {
  if (content === null) return null;
  await writeFile(file, content, { mode: 0o600 });
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { name, path: file, bytes: content.length, sha256 };
}

/** @returns null where a rule refuses the file */
async function prepareOne(
  attachments: Pick<Attachments, "prepare">,
  upload: Upload,
  userId: string,
  now: Date,
): Promise<PreparedFiles | null> {
  try {
    return await attachments.prepare([upload], { allowed: sentTypes.reply, userId, now });
  } catch (error) {
    const isRule =
      error instanceof DomainError &&
      (error.code === "attachment_refused" || error.code === "attachment_quota");
    if (isRule) return null;
    throw error;
  }
}
