import {
  attachmentBytesMax,
  attachmentFilesMax,
  attachmentTypes,
  sentTypes,
  type AttachmentForm,
} from "@palisade/contract/http/attachment-rules";

type FileErrorKey =
  | "attachment.type"
  | "attachment.too_big"
  | "attachment.duplicate"
  | "attachment.max";

/** Why a file was not taken; the text of the key names it. */
export interface FileError {
  readonly key: FileErrorKey;
  readonly file: string;
}

interface CheckedFiles {
  readonly files: readonly File[];
  readonly errors: readonly FileError[];
}

/** Takes of the added files those that the form may send beside the ones it holds. */
export function checkFiles(
  form: AttachmentForm,
  held: readonly File[],
  added: Iterable<File>,
): CheckedFiles {
  const files = [...held];
  const errors: FileError[] = [];
  for (const file of added) {
    const key = errorOf(form, files, file);
    if (key === undefined) files.push(file);
    // One sentence says it of all the files that are too many.
    else if (key !== "attachment.max" || errors.every((error) => error.key !== key))
      errors.push({ key, file: file.name });
  }
  return { files, errors };
}

function errorOf(
  form: AttachmentForm,
  held: readonly File[],
  file: File,
): FileErrorKey | undefined {
  if (held.some((other) => isSame(other, file))) return "attachment.duplicate";
  if (!isSent(form, file)) return "attachment.type";
  if (file.size > attachmentBytesMax) return "attachment.too_big";
  return held.length >= attachmentFilesMax ? "attachment.max" : undefined;
}

function isSame(a: File, b: File): boolean {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;
}

/** By the end of its name, as the api tells types by the bytes; a file without one has its type. */
function isSent(form: AttachmentForm, { name, type }: File): boolean {
  const [, extension] = /\.([^.]+)$/.exec(name.toLowerCase()) ?? [];
  return sentTypes[form].some((sent) => {
    const { extensions, contentType } = attachmentTypes[sent];
    if (extension === undefined) return type === contentType;
    return (extensions as readonly string[]).includes(extension);
  });
}

/** For the browser's dialog that chooses files. */
export function acceptedFiles(form: AttachmentForm): string {
  return sentTypes[form]
    .flatMap((sent) => attachmentTypes[sent].extensions.map((extension) => `.${extension}`))
    .join(",");
}

/** The types that a form takes, as people call them: `PNG, JPEG, PDF`. */
export function acceptedNames(form: AttachmentForm): string {
  return sentTypes[form].map((sent) => (sent === "text" ? "TXT" : sent.toUpperCase())).join(", ");
}

/**
 * How much of each file is sent, from 0 to 1. They go one after another in one body, in which nothing
 * else counts.
 */
export function fileShares(files: readonly File[], sentShare: number): number[] {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let left = sentShare * total;
  return files.map(({ size }) => {
    const share = size === 0 ? sentShare : Math.min(1, Math.max(0, left / size));
    left -= size;
    return share;
  });
}
