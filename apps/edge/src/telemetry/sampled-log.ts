import type { Logger } from "pino";

/** Lines about single connections that are written per second; the others are only counted. */
const linesPerSecondMax = 20;

/** Log of single connections: complete in quiet times, a sample under a flood. */
export class SampledLog {
  readonly #log: Logger;
  #lines = 0;
  #left = 0;
  /** Since the start of the program. */
  leftOut = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param facts called only where the line is written */
  info(facts: () => object, message: string): void {
    if (this.#lines >= linesPerSecondMax) {
      this.#left++;
      this.leftOut++;
    } else {
      this.#lines++;
      this.#log.info(facts(), message);
    }
  }

  /** Once a second. */
  tick(): void {
    if (this.#left > 0) this.#log.info({ lines: this.#left }, "connection lines left out");
    this.#lines = 0;
    this.#left = 0;
  }
}
