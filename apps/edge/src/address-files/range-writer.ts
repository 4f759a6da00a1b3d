import {
  compare,
  copy,
  type CompiledRanges,
  type Width,
  type Words,
} from "@palisade/login-rules/address-set";
import type { LabelledRanges } from "#src/rules/address-lookups.ts";
import { vpnLimits } from "./limits.ts";

/** Unlike what memory that is short throws. */
export class TooManyRanges extends Error {}

const beginningMax = 1_024;

/** Takes disjoint ranges in order and joins neighbours of one label. */
export class RangeWriter {
  readonly #width: Width;
  readonly #max: number;
  readonly #next: Words;
  #count = 0;
  #firsts: Words;
  #lasts: Words;
  #labels = new Uint32Array(beginningMax);

  constructor(width: Width, max: number = vpnLimits.rangesMax) {
    this.#width = width;
    this.#max = max;
    this.#next = new Uint32Array(width);
    this.#firsts = new Uint32Array(beginningMax * width);
    this.#lasts = new Uint32Array(beginningMax * width);
  }

  /** @throws TooManyRanges where there are more than a table takes */
  append(first: Words, firstAt: number, last: Words, lastAt: number, label: number): void {
    const width = this.#width;
    const before = (this.#count - 1) * width;
    if (before >= 0 && this.#labels[this.#count - 1] === label) {
      successor(this.#lasts, before, width, this.#next);
      if (compare(this.#next, 0, first, firstAt, width) === 0) {
        copy(last, lastAt, this.#lasts, before, width);
        return;
      }
    }
    if (this.#count === this.#max) throw new TooManyRanges(`has more than ${this.#max} ranges`);
    if (this.#count === this.#labels.length) this.#grow();
    copy(first, firstAt, this.#firsts, this.#count * width, width);
    copy(last, lastAt, this.#lasts, this.#count * width, width);
    this.#labels[this.#count++] = label;
  }

  /** In memory that threads share. */
  finish(): LabelledRanges {
    const count = this.#count;
    return {
      count,
      firsts: shared(this.#firsts, count * this.#width),
      lasts: shared(this.#lasts, count * this.#width),
      labels: shared(this.#labels, count),
    };
  }

  #grow(): void {
    this.#firsts = twice(this.#firsts);
    this.#lasts = twice(this.#lasts);
    this.#labels = twice(this.#labels);
  }
}

function twice(words: Words): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(words.length * 2);
  larger.set(words);
  return larger;
}

function shared(words: Words, length: number): Words {
  const copied = new Uint32Array(new SharedArrayBuffer(length * words.BYTES_PER_ELEMENT));
  copied.set(words.subarray(0, length));
  return copied;
}

/** The same ranges with other labels; those that get none are left out. */
export function relabelled(
  ranges: CompiledRanges & { readonly labels?: Uint32Array },
  width: Width,
  labelOf: (label: number) => number | undefined,
): LabelledRanges {
  const { count, firsts, lasts, labels } = ranges;
  const writer = new RangeWriter(width);
  for (let place = 0; place < count; place++) {
    const label = labelOf(labels?.[place] ?? 0);
    if (label !== undefined) writer.append(firsts, place * width, lasts, place * width, label);
  }
  return writer.finish();
}

/**
 * Both in one: where they overlap, `upper` is what is seen.
 *
 * @throws TooManyRanges where that makes more than `max`
 */
export function overlaid(
  upper: LabelledRanges,
  lower: LabelledRanges,
  width: Width,
  max: number = vpnLimits.rangesMax,
): LabelledRanges {
  if (upper.count === 0) return lower;
  if (lower.count === 0) return upper;
  const writer = new RangeWriter(width, max);
  const first = new Uint32Array(width);
  const edge = new Uint32Array(width);
  let above = 0;
  const keep = (): void => {
    const at = above * width;
    writer.append(upper.firsts, at, upper.lasts, at, upper.labels[above++] ?? 0);
  };
  for (let below = 0; below < lower.count; below++) {
    const at = below * width;
    const label = lower.labels[below] ?? 0;
    copy(lower.firsts, at, first, 0, width);
    while (above < upper.count && compare(upper.lasts, above * width, first, 0, width) < 0) keep();
    let isLeft = true;
    while (isLeft && above < upper.count) {
      const aboveAt = above * width;
      if (compare(upper.firsts, aboveAt, lower.lasts, at, width) > 0) break;
      if (compare(upper.firsts, aboveAt, first, 0, width) > 0) {
        writer.append(first, 0, predecessor(upper.firsts, aboveAt, width, edge), 0, label);
      }
      // Kept for the ranges that follow, which it may hide as well.
      if (compare(upper.lasts, aboveAt, lower.lasts, at, width) >= 0) isLeft = false;
      else {
        successor(upper.lasts, aboveAt, width, first);
        keep();
      }
    }
    if (isLeft) writer.append(first, 0, lower.lasts, at, label);
  }
  while (above < upper.count) keep();
  return writer.finish();
}

/** The address after the one at `at`; the first one of all after the last. */
function successor(words: Words, at: number, width: Width, into: Words): Words {
  let carry = 1;
  for (let index = width - 1; index >= 0; index--) {
    const sum = (words[at + index] ?? 0) + carry;
    into[index] = sum;
    carry = sum > 0xffffffff ? 1 : 0;
  }
  return into;
}

/** The address before the one at `at`. */
function predecessor(words: Words, at: number, width: Width, into: Words): Words {
  let borrow = 1;
  for (let index = width - 1; index >= 0; index--) {
    const difference = (words[at + index] ?? 0) - borrow;
    into[index] = difference;
    borrow = difference < 0 ? 1 : 0;
  }
  return into;
}
