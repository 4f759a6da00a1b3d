const blockBytes = 64;
/** Behind it is room for the mark of the end and the length. */
const messageBytesMax = blockBytes - 9;
const endMark = 0x80;
const digestBytes = 16;

/** Read as words, in the order of every machine that Node 24 runs on. */
const words = new Int32Array(blockBytes / 4);
const lengthWord = 14;
const block = new Uint8Array(words.buffer);
const state = new Int32Array(digestBytes / 4);
const digest = new Uint8Array(state.buffer);

const starts = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as const;
const additions = Int32Array.from(
  { length: 64 },
  (_, step) => Math.floor(2 ** 32 * Math.abs(Math.sin(step + 1))) | 0,
);
/** Four for each of the four rounds. */
const shifts = Uint8Array.of(7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21);

/**
 * MD5 (RFC 1321) of a text of ASCII that fits one block. The hash of node:crypto takes ten times as long
 * for so few bytes, and each unknown player costs one.
 *
 * @param parts of the text, because a text put together takes long to read
 * @returns 16 bytes that are valid until the next call; undefined for any other text
 */
export function shortMd5(...parts: readonly string[]): Uint8Array | undefined {
  words.fill(0);
  let length = 0;
  for (const part of parts) {
    if (length + part.length > messageBytesMax) return undefined;
    for (let index = 0; index < part.length; index++) {
      const code = part.charCodeAt(index);
      if (code >= 0x80) return undefined;
      block[length++] = code;
    }
  }
  block[length] = endMark;
  words[lengthWord] = 8 * length;
  hashBlock();
  return digest;
}

function hashBlock(): void {
  let [a, b, c, d]: [number, number, number, number] = [...starts];
  for (let step = 0; step < 64; step++) {
    const round = step >> 4;
    const sum = (a + mixed(round, b, c, d) + (additions[step] ?? 0) + wordOf(round, step)) | 0;
    const by = shifts[4 * round + (step & 3)] ?? 0;
    a = d;
    d = c;
    c = b;
    b = (b + ((sum << by) | (sum >>> (32 - by)))) | 0;
  }
  state[0] = starts[0] + a;
  state[1] = starts[1] + b;
  state[2] = starts[2] + c;
  state[3] = starts[3] + d;
}

function mixed(round: number, b: number, c: number, d: number): number {
  if (round === 0) return (b & c) | (~b & d);
  if (round === 1) return (d & b) | (~d & c);
  return round === 2 ? b ^ c ^ d : c ^ (b | ~d);
}

function wordOf(round: number, step: number): number {
  const at =
    round === 0 ? step : round === 1 ? 5 * step + 1 : round === 2 ? 3 * step + 5 : 7 * step;
  return words[at & 15] ?? 0;
}
