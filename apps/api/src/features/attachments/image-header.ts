const pngChunkBytes = 12;
/** Critical chunks, and the transparency of palettes (PNG, 3rd edition, 11.2 and 11.3.1). */
const keptChunks = new Set(["IHDR", "PLTE", "IDAT", "IEND", "tRNS"]);

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The PNG without what is no picture: texts, colour profiles, animations and whatever follows its end.
 * Their packed contents are never unpacked.
 */
export function bareBonesPng(bytes: Buffer): { size: ImageSize; bare: Buffer } | null {
  const parts = [bytes.subarray(0, 8)];
  let size: ImageSize | null = null;
  for (let at = 8; at + pngChunkBytes <= bytes.length;) {
    const next = at + pngChunkBytes + bytes.readUInt32BE(at);
    if (next > bytes.length) return null;
    const type = bytes.toString("latin1", at + 4, at + 8);
    // The format wants this one first.
    if (size === null) {
      if (type !== "IHDR" || next - at !== pngChunkBytes + 13) return null;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (keptChunks.has(type)) parts.push(bytes.subarray(at, next));
    if (type === "IEND") return { size, bare: Buffer.concat(parts) };
    at = next;
  }
  return null;
}

/** Start of frame, all kinds; C4, C8 and CC mean something else (ITU T.81, table B.1). */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

const startOfScan = 0xda;
const endOfImage = 0xd9;
const scansMax = 100;

/** The size of a JPEG and its scans; null also where it has more frames than one, or too many scans. */
export function readJpegSize(bytes: Buffer): (ImageSize & { readonly scans: number }) | null {
  let size: ImageSize | null = null;
  let scans = 0;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    // Fill bytes may come before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return null;
    if (isStartOfFrame(marker)) {
      if (size !== null || length < 8 || at + 9 > bytes.length) return null;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + length;
    if (marker !== startOfScan) continue;
    scans += 1;
    if (scans > scansMax) return null;
    at = endOfScan(bytes, at);
    if (bytes[at + 1] === endOfImage) break;
  }
  // The end may be missing, as cameras and chats now and then cut it: the decoder decides.
  return size === null || scans === 0 ? null : { ...size, scans };
}

/** The marker after the packed pixels, in which FF is followed by 00 or a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  // A loop over the bytes: a file may have millions of FF.
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}
