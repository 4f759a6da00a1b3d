/** The time of the product. Rows, windows and expiries use it, never the database's now(). */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
