import { gunzipSync } from "node:zlib";

const blockBytes = 512;

/**
 * Unpacks a download: gzip is removed, and of a tar archive the .mmdb file is taken, as MaxMind
 * packs them.
 *
 * @throws if it is damaged, larger than `bytesMax`, or an archive without such a file
 */
export function unpack(bytes: Buffer, bytesMax: number): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const plain = gunzipSync(bytes, { maxOutputLength: bytesMax });
  if (plain.toString("latin1", 257, 262) !== "ustar") return plain;
  const file = mmdbIn(plain);
  if (file === undefined) throw new Error("the archive holds no .mmdb file");
  return file;
}

/** Octal digits; a sign would lead backwards. @throws if it is something else */
function sizeOf(field: string): number {
  const digits = field.trim();
  if (!/^[0-7]*$/.test(digits)) throw new Error("the archive is damaged");
  return Number.parseInt(digits, 8) || 0;
}

/** Headers of 512 bytes, each with its file behind it (POSIX.1-1988 ustar). */
function mmdbIn(archive: Buffer): Buffer | undefined {
  for (let at = 0; at + blockBytes <= archive.length;) {
    const text = (from: number, length: number): string =>
      archive.toString("latin1", at + from, at + from + length).split("\0", 1)[0] ?? "";
    const size = sizeOf(text(124, 12));
    const content = at + blockBytes;
    const isFile = ["0", ""].includes(text(156, 1));
    if (isFile && text(0, 100).endsWith(".mmdb")) return archive.subarray(content, content + size);
    at = content + Math.ceil(size / blockBytes) * blockBytes;
  }
  return undefined;
}
