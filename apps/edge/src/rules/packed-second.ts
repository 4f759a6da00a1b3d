/** Logins of a second in one word: 14 bits of the second and 18 of how many, the last at the most. */
const countBits = 18;
const countMax = (1 << countBits) - 1;
const secondMask = (1 << (32 - countBits)) - 1;

/** Logins counted in this second. Another thread may already be in the next one. */
export function loginsIn(counted: number, second: number): number {
  return (((counted >>> countBits) - second) & secondMask) <= 1 ? counted & countMax : 0;
}

/** None counted in this second so far. */
export function noLogins(second: number): number {
  return (second & secondMask) << countBits;
}

/** With one more in this second. */
export function addLogin(counted: number, second: number): number {
  const logins = loginsIn(counted, second);
  if (logins === 0) return noLogins(second) | 1;
  return logins === countMax ? counted : (counted + 1) | 0;
}

/** Seconds since the last login; none if another thread is in the next one already. */
export function secondsSinceLogin(counted: number, second: number): number {
  const seconds = (second - (counted >>> countBits)) & secondMask;
  return seconds === secondMask ? 0 : seconds;
}
