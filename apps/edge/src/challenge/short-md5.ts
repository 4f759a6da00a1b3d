/**
 * MD5 (RFC 1321) of texts that fit into one block, several times faster than a call of the crypto
 * library. It makes the UUIDs that servers give to accounts that were not bought, and protects nothing.
 */

const blockBytes = 64;
/** The end of the text, and its length in 64 bits, take the rest of the block. */
export const shortBytesMax: number = blockBytes - 9;
const lengthWord = 14;

const rotations = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;
const steps = Array.from({ length: blockBytes }, (_, n) => n);
const constants = Int32Array.from(steps, (n) => Math.floor(2 ** 32 * Math.abs(Math.sin(n + 1))));
const shifts = Uint8Array.from(steps, (n) => rotations[n >> 4]?.[n & 3] ?? 0);
/** The word of the block that each step reads. */
const wordOf = Uint8Array.from(steps, (n) => {
  const round = n >> 4;
  if (round === 0) return n & 15;
  if (round === 1) return (5 * n + 1) & 15;
  return (round === 2 ? 3 * n + 5 : 7 * n) & 15;
});

const block = Buffer.alloc(blockBytes);
const words = new Int32Array(lengthWord + 2);

/** @param text of at most `shortBytesMax` bytes */
export function shortMd5(text: string): Buffer {
  block.fill(0);
  const length = block.write(text, 0, shortBytesMax, "utf8");
  block[length] = 0x80;
  for (let n = 0; n < words.length; n++) words[n] = block.readInt32LE(4 * n);
  words[lengthWord] = 8 * length;
  let a = 0x67452301;
  let b = 0xefcdab89 | 0;
  let c = 0x98badcfe | 0;
  let d = 0x10325476;
  for (let n = 0; n < blockBytes; n++) {
    const mixed =
      (a + mix(n >> 4, b, c, d) + (constants[n] ?? 0) + (words[wordOf[n] ?? 0] ?? 0)) | 0;
    const by = shifts[n] ?? 0;
    const next = (b + ((mixed << by) | (mixed >>> (32 - by)))) | 0;
    a = d;
    d = c;
    c = b;
    b = next;
  }
  const sum = Buffer.allocUnsafe(16);
  sum.writeInt32LE((a + 0x67452301) | 0, 0);
  sum.writeInt32LE((b + 0xefcdab89) | 0, 4);
  sum.writeInt32LE((c + 0x98badcfe) | 0, 8);
  sum.writeInt32LE((d + 0x10325476) | 0, 12);
  return sum;
}

function mix(round: number, b: number, c: number, d: number): number {
  if (round === 0) return (b & c) | (~b & d);
  if (round === 1) return (d & b) | (~d & c);
  return round === 2 ? b ^ c ^ d : c ^ (b | ~d);
}
