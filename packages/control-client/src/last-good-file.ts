import { createHash } from "node:crypto";

/**
 * A file of the last good copy: one header line, then the payload.
 *
 *   palisade-last-good 1 <sha-256 of the payload, hex> <bytes of the payload>\n<payload>
 *
 * Rename is atomic, but a disk may still lose or change data: a file that does not match its header
 * is not used.
 */
const magic = "palisade-last-good 1";
const header = /^palisade-last-good 1 ([0-9a-f]{64}) (\d{1,10})$/;

export function checksumOf(payload: string | Uint8Array): string {
  return createHash("sha256").update(payload).digest("hex");
}

/** The file's bytes for a payload. */
export function encodeLastGood(payload: string): Buffer {
  const body = Buffer.from(payload, "utf8");
  return Buffer.concat([Buffer.from(`${magic} ${checksumOf(body)} ${body.length}\n`), body]);
}

/** The payload; null when the file is torn, changed or of another format. */
export function decodeLastGood(bytes: Uint8Array): string | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = file.subarray(0, 128).indexOf(0x0a);
  if (end === -1) return null;
  const [, checksum, length] = header.exec(file.toString("latin1", 0, end)) ?? [];
  const body = file.subarray(end + 1);
  if (body.length !== Number(length) || checksumOf(body) !== checksum) return null;
  return body.toString("utf8");
}
