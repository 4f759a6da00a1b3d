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
  /** Those without a verdict, oldest first. */
  readonly unknown: ShieldPlace<T> = asList({
    seat: undefined,
    previous: undefined,
    next: undefined,
  });
  readonly shield: string;
  /** All of them. */
  size = 0;

  constructor(shield: string) {
    this.shield = shield;
  }
}
