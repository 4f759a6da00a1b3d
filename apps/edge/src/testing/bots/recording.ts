import type { Bot } from "./bot.ts";

/** The bytes that a client has sent behind Login Start, and their times. */
export type Recording = readonly { readonly afterMs: number; readonly bytes: Buffer }[];

const nothing: Buffer = Buffer.alloc(0);

/** Records what a bot says. */
export class RecordedBot implements Bot {
  readonly recording: { readonly afterMs: number; readonly bytes: Buffer }[] = [];
  readonly #bot: Bot;
  readonly #nowMs: () => number;
  readonly #beganAtMs: number;

  constructor(bot: Bot, nowMs: () => number) {
    this.#bot = bot;
    this.#nowMs = nowMs;
    this.#beganAtMs = nowMs();
  }

  hear(bytes: Buffer): Buffer {
    return this.#keep(this.#bot.hear(bytes));
  }

  tick(): Buffer {
    return this.#keep(this.#bot.tick());
  }

  #keep(bytes: Buffer): Buffer {
    if (bytes.length > 0) this.recording.push({ afterMs: this.#nowMs() - this.#beganAtMs, bytes });
    return bytes;
  }
}

/** Says what another has said, each part when the other said it, whatever it hears. */
export class Replayer implements Bot {
  readonly #recording: Recording;
  readonly #nowMs: () => number;
  readonly #beganAtMs: number;
  #said = 0;

  constructor(recording: Recording, nowMs: () => number) {
    this.#recording = recording;
    this.#nowMs = nowMs;
    this.#beganAtMs = nowMs();
  }

  hear(): Buffer {
    return this.tick();
  }

  tick(): Buffer {
    const passedMs = this.#nowMs() - this.#beganAtMs;
    const due: Buffer[] = [];
    for (;;) {
      const part = this.#recording[this.#said];
      if (part === undefined || part.afterMs > passedMs) return Buffer.concat(due);
      due.push(part.bytes);
      this.#said++;
    }
  }
}

/** Says all of it at once, behind Login Start. */
export class EagerBot implements Bot {
  #left: Buffer;

  constructor(recording: Recording) {
    this.#left = Buffer.concat(recording.map(({ bytes }) => bytes));
  }

  hear(): Buffer {
    return this.tick();
  }

  tick(): Buffer {
    const left = this.#left;
    this.#left = nothing;
    return left;
  }
}
