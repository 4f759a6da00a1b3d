import { randomBytes, randomInt } from "node:crypto";
import type { Captcha, CaptchaPool } from "./captcha-pool.ts";
import { randomCode } from "./code.ts";
import { drawPicture } from "./picture.ts";
import { seedBytes, SeededRandom } from "./seeded-random.ts";

/**
 * Pause between two pictures, each of which takes some milliseconds: the thread has most of its time for
 * other work, and still draws some fifty in a second.
 */
const pauseMs = 15;

export function newCaptcha(): Captcha {
  const code = randomCode(randomInt);
  return { code, colours: drawPicture(code, new SeededRandom(randomBytes(seedBytes))) };
}

/**
 * Fills the pool, one picture at a time, in the thread that accepts no players: a flood of players never
 * makes it draw faster.
 */
export class CaptchaArtist {
  readonly #pool: CaptchaPool;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: CaptchaPool) {
    this.#pool = pool;
  }

  /** Once a second: starts to draw if captchas are missing. */
  tick(): void {
    if (this.#timer === undefined && this.#pool.missing > 0) this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#drawOne(), pauseMs).unref();
  }

  #drawOne(): void {
    this.#timer = undefined;
    if (this.#pool.missing > 0 && this.#pool.add(newCaptcha())) this.#schedule();
  }
}
