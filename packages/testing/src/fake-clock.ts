export interface FakeClock {
  now(): Date;
  nowMs(): number;
  advance(byMs: number): void;
  set(at: Date): void;
}

/**
 * A clock that stands still until it is moved.
 *
 * @param start first time; a fixed date by default, so that tests are repeatable
 */
export function createFakeClock(start = new Date("2030-01-15T12:00:00.000Z")): FakeClock {
  let atMs = start.getTime();
  return {
    now: () => new Date(atMs),
    nowMs: () => atMs,
    advance: (byMs) => {
      atMs += byMs;
    },
    set: (at) => {
      atMs = at.getTime();
    },
  };
}
