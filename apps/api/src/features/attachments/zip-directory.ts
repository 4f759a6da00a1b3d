/** Sizes and signatures by PKWARE's APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16. */
const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const entryBytes = 46;
const localBytes = 30;
const commentBytesMax = 0xffff;

const entriesMax = 10_000;
/** All entries together, as the archive declares them: an archive that claims more is a bomb. */
const unpackedBytesMax = 1024 * 1024 * 1024;

/**
 * The names in a ZIP archive. Null where it is broken, its directory does not end with the file, its
 * entries overlap, or it would unpack to more than a gigabyte. Nothing is unpacked.
 */
export function listZip(bytes: Buffer): ReadonlySet<string> | null {
  const end = findEnd(bytes);
  if (end === null) return null;
  const entries = bytes.readUInt16LE(end + 10);
  const start = bytes.readUInt32LE(end + 16);
  const size = bytes.readUInt32LE(end + 12);
  // Also refuses ZIP64, whose values here are all ones: no file of 10 MB needs it.
  if (entries === 0 || entries > entriesMax || start + size !== end) return null;

  const names = new Set<string>();
  const packed: { readonly from: number; readonly to: number }[] = [];
  let unpacked = 0;
  let at = start;
  for (let index = 0; index < entries; index += 1) {
    if (at + entryBytes > end || bytes.readUInt32LE(at) !== entrySignature) return null;
    const packedBytes = bytes.readUInt32LE(at + 20);
    unpacked += bytes.readUInt32LE(at + 24);
    const nameBytes = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const next =
      at + entryBytes + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (next > end || unpacked > unpackedBytesMax) return null;
    const from = local;
    const to = local + localBytes + packedBytes;
    if (to > start || bytes.readUInt32LE(local) !== localSignature) return null;
    packed.push({ from, to });
    names.add(bytes.toString("utf8", at + entryBytes, at + entryBytes + nameBytes));
    at = next;
  }
  return at === end && !overlap(packed) ? names : null;
}

/** The end of the directory, which has to be the end of the file: nothing may be behind it. */
function findEnd(bytes: Buffer): number | null {
  const last = bytes.length - endBytes;
  for (let at = last; at >= Math.max(0, last - commentBytesMax); at -= 1) {
    if (bytes.readUInt32LE(at) !== endSignature) continue;
    if (at + endBytes + bytes.readUInt16LE(at + 20) === bytes.length) return at;
  }
  return null;
}

/** Entries that share bytes make an archive that is small and unpacks to terabytes. */
function overlap(parts: readonly { readonly from: number; readonly to: number }[]): boolean {
  const sorted = parts.toSorted((a, b) => a.from - b.from);
  return sorted.some((part, index) => part.from < (sorted[index - 1]?.to ?? 0));
}
