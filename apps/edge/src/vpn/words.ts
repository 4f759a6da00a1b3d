import type { Width, Words } from "#src/protection/ranges.ts";

/** Arithmetic on addresses as words, the highest first. */

/** The address after the one at `at`; the first one of all after the last. */
export function successor(words: Words, at: number, width: Width, into: Words): Words {
  let carry = 1;
  for (let index = width - 1; index >= 0; index--) {
    const sum = (words[at + index] ?? 0) + carry;
    into[index] = sum;
    carry = sum > 0xffffffff ? 1 : 0;
  }
  return into;
}

/** The address before the one at `at`. */
export function predecessor(words: Words, at: number, width: Width, into: Words): Words {
  let borrow = 1;
  for (let index = width - 1; index >= 0; index--) {
    const difference = (words[at + index] ?? 0) - borrow;
    into[index] = difference;
    borrow = difference < 0 ? 1 : 0;
  }
  return into;
}
