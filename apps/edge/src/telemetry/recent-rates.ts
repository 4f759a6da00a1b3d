const bandwidthWindowSeconds = 60;
const loginWindowSeconds = 5;

/** Rates of the last seconds. */
export class RecentRates {
  readonly #bytes = new Float64Array(bandwidthWindowSeconds);
  readonly #logins = new Float64Array(loginWindowSeconds);

  /**
   * @param second counts up by one with each call
   * @param bytes of that second
   */
  note(second: number, bytes: number, logins: number): void {
    this.#bytes[second % bandwidthWindowSeconds] = bytes;
    this.#logins[second % loginWindowSeconds] = logins;
  }

  get bandwidthBps(): number {
    return Math.round((8 * sum(this.#bytes)) / bandwidthWindowSeconds);
  }

  get loginsPerSecond(): number {
    return sum(this.#logins) / loginWindowSeconds;
  }
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
