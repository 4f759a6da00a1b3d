import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import type { ToWorker } from "./thread-messages.ts";

type Changes = Extract<ToWorker, { kind: "changes" }>;

/** Characters that are sent at once, about: a snapshot of many shields goes in several messages. */
const batchCharactersMax = 1_000_000;

/**
 * Shields on their way to the workers: as text, made once, which each of them reads by itself. All
 * of it is kept for those that start later.
 */
export class ShieldBroadcast {
  readonly #send: (changes: Changes) => void;
  readonly #texts = new Map<string, string>();
  #waiting: string[] = [];
  #characters = 0;
  #isDue = false;
  #number = 0;

  constructor(send: (changes: Changes) => void) {
    this.#send = send;
  }

  /** Number of the message with the last change, even if it is still to be sent. */
  get number(): number {
    return this.#number + (this.#waiting.length > 0 ? 1 : 0);
  }

  apply(config: ShieldConfig): void {
    const text = `{"apply":${JSON.stringify(config)}}`;
    this.#texts.set(config.shield_id, text);
    this.#add(text);
  }

  remove(shieldId: string): void {
    this.#texts.delete(shieldId);
    this.#add(JSON.stringify({ remove: shieldId }));
  }

  /** Sends what waits, if anything. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const text = `[${this.#waiting.join()}]`;
    this.#waiting = [];
    this.#characters = 0;
    this.#send({ kind: "changes", number: ++this.#number, text });
  }

  /**
   * Everything, for a worker that has nothing, which is sent every change from now on as well: so what
   * has changed by the time a batch is asked for may be in it, too. The number of a batch is 0.
   *
   * @returns the number that all of it comes to
   */
  *whole(): Generator<Changes, number> {
    this.flush();
    const number = this.#number;
    let batch: string[] = [];
    let characters = 0;
    for (const text of this.#texts.values()) {
      batch.push(text);
      characters += text.length;
      if (characters < batchCharactersMax) continue;
      yield { kind: "changes", number: 0, text: `[${batch.join()}]` };
      batch = [];
      characters = 0;
    }
    yield { kind: "changes", number: 0, text: `[${batch.join()}]` };
    return number;
  }

  #add(text: string): void {
    this.#waiting.push(text);
    this.#characters += text.length;
    if (this.#characters >= batchCharactersMax) this.flush();
    if (this.#isDue) return;
    this.#isDue = true;
    // Changes of one line of the stream are sent together.
    setImmediate(() => {
      this.#isDue = false;
      this.flush();
    });
  }
}
