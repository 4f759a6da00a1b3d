/** A server's icon in the game's server list, as its status carries it. */

export const faviconPrefix = "data:image/png;base64,";
/** Bytes of the PNG. */
export const faviconBytesMax = 16 * 1024;
/** Both sides; the game shows no other size. */
const faviconPixels = 64;

/** PNG, 3rd edition, 5.2: the same eight bytes for every file. */
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** The length and the type of the header chunk, which comes first (11.2.1). */
const headerChunk = [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
/** Signature, chunk head and the two sides; the rest of the file is up to the decoder. */
const checkedBytes = 24;

/** Whether the bytes begin as a PNG of the game's size and are not too many. Never throws. */
export function isFavicon(png: Uint8Array): boolean {
  if (png.length < checkedBytes || png.length > faviconBytesMax) return false;
  if (![...signature, ...headerChunk].every((byte, at) => png[at] === byte)) return false;
  const header = new DataView(png.buffer, png.byteOffset, png.length);
  return header.getUint32(16) === faviconPixels && header.getUint32(20) === faviconPixels;
}
