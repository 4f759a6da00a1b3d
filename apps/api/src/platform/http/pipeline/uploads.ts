import { createHash } from "node:crypto";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import multipart, { type MultipartFile } from "@fastify/multipart";
import type { UploadCaps } from "@palisade/contract/http/route";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { asRefusal, formLimits } from "./multipart.ts";

/** A file of the call. It is gone when the call ends. */
export interface Upload {
  /** As the sender names it: a path, control characters or nothing at all may be in it. */
  readonly name: string;
  /** The file with its bytes, readable by this process's user alone. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface ReceivedForm {
  readonly body: object;
  readonly uploads: readonly Upload[];
}

/** All of a process. Each holds at most the files of one form on the disk. */
const formsMax = 32;
const formsPerUserMax = 3;
/** All fields of a form together: a message of 10,000 characters in UTF-8, and room beside it. */
const fieldsBytesMax = 128 * 1024;
export const uploadFolderPrefix = "palisade-upload-";

/** Forms that are received or worked on, each with a folder of its own. */
export interface UploadFolders {
  /** @throws DomainError `unavailable` where there are too many, `rate_limited` for the user's own */
  open(userId: string): Promise<UploadFolder>;
}

export interface UploadFolder {
  readonly path: string;
  /** Removes the folder with everything in it; more than once does no harm. */
  remove(): Promise<void>;
}

export function createUploadFolders(): UploadFolders {
  const open = new Map<string, number>();
  let total = 0;
  const leave = (userId: string): void => {
    total -= 1;
    const left = (open.get(userId) ?? 1) - 1;
    if (left === 0) open.delete(userId);
    else open.set(userId, left);
  };
  return {
    async open(userId) {
      const own = open.get(userId) ?? 0;
      if (total >= formsMax) throw new DomainError("unavailable", { retryAfterSeconds: 3 });
      if (own >= formsPerUserMax) {
        throw new DomainError("rate_limited", { values: { seconds: 3 }, retryAfterSeconds: 3 });
      }
      total += 1;
      open.set(userId, own + 1);
      try {
        // mkdtemp makes it for its owner alone (0700).
        const folder = await mkdtemp(path.join(tmpdir(), uploadFolderPrefix));
        let removal: Promise<void> | undefined;
        return {
          path: folder,
          remove: () =>
            (removal ??= rm(folder, { recursive: true, force: true }).finally(() => leave(userId))),
        };
      } catch (error) {
        leave(userId);
        throw error;
      }
    },
  };
}

/** Lets the routes of `scope` take forms with files. */
export async function takeUploads(scope: FastifyInstance, caps: UploadCaps): Promise<void> {
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    // One byte and one file more than allowed: what is too much is told by its name.
    limits: { ...formLimits(caps.files + 1, fieldsBytesMax), fileSize: caps.fileBytes + 1 },
  });
}

/** Largest body of the form. */
export function formBytesMax(caps: UploadCaps): number {
  return caps.files * caps.fileBytes + fieldsBytesMax + 64 * 1024;
}

/**
 * Writes the form's files to `folder` while they arrive, never more than the caps. Its fields are the
 * body: the contract's schema judges it as it judges JSON.
 *
 * @throws DomainError at the first file that is too much
 */
export async function receiveForm(
  request: FastifyRequest,
  caps: UploadCaps,
  folder: string,
): Promise<ReceivedForm> {
  const body: Record<string, string> = Object.create(null);
  const uploads: Upload[] = [];
  let fieldBytes = 0;
  try {
    for await (const part of request.parts()) {
      if (part.type === "field") {
        const value = String(part.value);
        fieldBytes += Buffer.byteLength(value);
        const isCut = part.fieldnameTruncated || part.valueTruncated;
        if (isCut || fieldBytes > fieldsBytesMax) throw new DomainError("payload_too_large");
        if (/^\w+$/.test(part.fieldname)) body[part.fieldname] = value;
        continue;
      }
      if (!isFieldOf(part.fieldname, caps)) throw new DomainError("bad_request");
      const upload = await receiveFile(part, caps, path.join(folder, String(uploads.length)));
      // A file control without a choice.
      if (upload.bytes === 0 && upload.name === "") continue;
      if (uploads.length >= caps.files) {
        throw new DomainError("attachment_refused", { text: "attachment.max" });
      }
      uploads.push(upload);
    }
  } catch (error) {
    throw isOfDisk(error) && !request.raw.destroyed ? error : asRefusal(error);
  }
  return { body, uploads };
}

/** `attachments`, `attachments[]` and `attachments[0]`. */
function isFieldOf(name: string, { field }: UploadCaps): boolean {
  return name === field || new RegExp(`^${field}\\[\\d{0,3}\\]$`).test(name);
}

async function receiveFile(
  part: MultipartFile,
  { fileBytes }: UploadCaps,
  target: string,
): Promise<Upload> {
  // Its type says it is always there.
  const name = (part.filename as string | undefined) ?? "";
  const hash = createHash("sha256");
  const file = await open(target, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > fileBytes) {
        throw new DomainError("payload_too_large", {
          text: "attachment.too_big",
          values: { file: shownName(name) },
        });
      }
      hash.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return { name, path: target, bytes, sha256: hash.digest("hex") };
}

/** For texts: the last part of the path, without what cannot be seen. */
export function shownName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  return last.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "").slice(0, 100);
}

/** The disk is full or away: nothing the sender did. */
function isOfDisk(error: unknown): boolean {
  if (!(error instanceof Error) || !("syscall" in error)) return false;
  return "path" in error || error.syscall === "write";
}
