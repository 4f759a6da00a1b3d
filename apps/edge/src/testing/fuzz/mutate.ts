import type { Random } from "./random.ts";

/** Bytes that lengths, ids and flags turn on. */
const edges = [0x00, 0x01, 0x02, 0x03, 0x07, 0x08, 0x7f, 0x80, 0x81, 0xfa, 0xfe, 0xff];
/** VarInts that announce too much, never end, or are negative; a short that does. */
const announcements = ["ffff7f", "ffffff7f", "ffffffffff", "ffffffff0f", "8080808008", "7fff"].map(
  (hex) => Buffer.from(hex, "hex"),
);

type Change = (bytes: Buffer, donor: Buffer, random: Random) => Buffer;

const changes: readonly Change[] = [
  (bytes, _, random) => withByte(bytes, random, (byte) => byte ^ (1 << random.below(8))),
  (bytes, _, random) => withByte(bytes, random, () => random.pick(edges)),
  (bytes, _, random) => withByte(bytes, random, (byte) => byte + random.below(3) - 1),
  (bytes, _, random) => replaced(bytes, random, Buffer.alloc(0)),
  (bytes, _, random) => replaced(bytes, random, random.bytes(1 + random.below(12))),
  (bytes, _, random) => replaced(bytes, random, random.pick(announcements)),
  (bytes, _, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, _, random) => Buffer.concat([bytes, bytes.subarray(random.below(bytes.length + 1))]),
  (bytes, donor, random) =>
    Buffer.concat([
      bytes.subarray(0, random.below(bytes.length + 1)),
      donor.subarray(random.below(donor.length + 1)),
    ]),
  (bytes, _, random) => Buffer.concat([bytes, random.bytes(random.below(64))]),
];

/**
 * Bytes that a broken or hostile client might send instead.
 *
 * @param donor another valid input
 */
export function mutate(bytes: Buffer, donor: Buffer, random: Random): Buffer {
  let changed = bytes;
  for (let times = 1 + random.below(3); times > 0; times--) {
    changed = random.pick(changes)(changed, donor, random);
  }
  return changed;
}

/** The same bytes as the network might bring them. */
export function inPieces(bytes: Buffer, random: Random): Buffer[] {
  if (bytes.length < 2 || random.once(2)) return [bytes];
  const isDrip = bytes.length < 100 && random.once(12);
  const cuts = isDrip
    ? Array.from({ length: bytes.length - 1 }, (_, n) => n + 1)
    : Array.from({ length: 1 + random.below(4) }, () => 1 + random.below(bytes.length - 1));
  cuts.sort((a, b) => a - b);
  return [0, ...cuts]
    .map((from, n) => bytes.subarray(from, cuts[n] ?? bytes.length))
    .filter(({ length }) => length > 0);
}

function withByte(bytes: Buffer, random: Random, change: (byte: number) => number): Buffer {
  if (bytes.length === 0) return bytes;
  const copy = Buffer.from(bytes);
  const at = random.below(copy.length);
  copy[at] = change(copy[at] ?? 0);
  return copy;
}

/** A few bytes somewhere are gone, and others in their place. */
function replaced(bytes: Buffer, random: Random, by: Buffer): Buffer {
  const from = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, from + random.below(8));
  return Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(to)]);
}
