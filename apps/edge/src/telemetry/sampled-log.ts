import type { Logger } from "#src/ports.ts";
import { type PerSecondQuota, singleThreadQuota } from "./per-second-quota.ts";

/** Lines about single connections that all threads write in a second; the others are only counted. */
const linesPerSecondMax = 20;

/** Log of single connections: complete in quiet times, a sample under a flood. */
export class SampledLog {
  readonly #log: Logger;
  readonly #quota: PerSecondQuota;
  #left = 0;
  /** Since the start of the program. */
  leftOut = 0;

  constructor(log: Logger, quota = singleThreadQuota(Date.now)) {
    this.#log = log;
    this.#quota = quota;
  }

  /** @param facts called only where the line is written */
  info(facts: () => object, message: string): void {
    if (this.#quota.take("line", linesPerSecondMax)) {
      this.#log.info(facts(), message);
      return;
    }
    this.#left++;
    this.leftOut++;
  }

  /** Once a second. */
  tick(): void {
    if (this.#left > 0) this.#log.info({ lines: this.#left }, "connection lines left out");
    this.#left = 0;
  }

  /** Takes the count away, for the thread that tells of it. */
  takeLeftOut(): number {
    const { leftOut } = this;
    this.leftOut = 0;
    return leftOut;
  }
}
