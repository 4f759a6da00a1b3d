import type { Random } from "./random.ts";

export interface Decoding {
  readonly bytes: Buffer;
  /** The packet's fields, for decoders of packets. */
  readonly start: number;
  readonly end: number;
  readonly protocol: number;
  readonly random: Random;
}

export interface DecoderTarget {
  readonly name: string;
  readonly seeds: readonly Buffer[];
  /**
   * The kind of the result.
   *
   * @throws if the decoder breaks a promise
   */
  readonly decode: (input: Decoding) => string;
}

export function holds(isTrue: boolean, promise: string): void {
  if (!isTrue) throw new Error(`not kept: ${promise}`);
}
