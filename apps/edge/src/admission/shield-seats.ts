import { asList, type Linked } from "#src/reactor/linked-list.ts";

/** A connection's place among those of its shield; linked while it may have to make room. */
export interface ShieldPlace<T> extends Linked<ShieldPlace<T>> {
  readonly seat: T | undefined;
}

/**
 * The connections of one shield that one thread has and that are without a verdict, or admitted and
 * not yet joined. Their number is limited, so that bots of one shield, or its silent backend, leave
 * room for the connections of all others.
 */
export class ShieldSeats<T> {
  /** Those that make room for others of the shield, oldest first. */
  readonly unknown = emptyRing<T>();
  /** Those that are being dialled, oldest first. */
  readonly passed = emptyRing<T>();
  readonly shield: string;
  /** All of them. */
  size = 0;
  passedSize = 0;

  constructor(shield: string) {
    this.shield = shield;
  }
}

function emptyRing<T>(): ShieldPlace<T> {
  return asList<ShieldPlace<T>>({ seat: undefined, previous: undefined, next: undefined });
}
