import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "@palisade/control-client/atomic-file";
import type { Logger } from "#src/ports.ts";

/** Network and the time its ban ends, ms since 1970. */
export type BanEntry = readonly [network: string, endsAtMs: number];

const line = /^([0-9a-f:.]{2,45}\/(?:24|32|48|64)) (\d{1,15})$/;

/**
 * Keeps the bans in force on disk, one line each (network and end), so that an edge that is killed
 * during a flood starts with them.
 */
export class BanFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #log: Logger;
  #writing: Promise<void> | undefined;

  /** @param home the edge's PALISADE_HOME */
  constructor(home: string, log: Logger) {
    this.#folder = join(home, "edge");
    this.#path = join(this.#folder, "bans");
    this.#log = log;
  }

  /** Lines that cannot be read are left out: the edge finds those sources again by itself. */
  async load(): Promise<BanEntry[]> {
    const text = await readFile(this.#path, "utf8").catch(() => "");
    return text.split("\n").flatMap((entry): BanEntry[] => {
      const [, network, endsAt] = line.exec(entry) ?? [];
      return network === undefined ? [] : [[network, Number(endsAt)]];
    });
  }

  /**
   * Does nothing while a write is still running.
   *
   * @returns whether the bans are written, or being written
   */
  save(bans: Iterable<BanEntry>): boolean {
    if (this.#writing !== undefined) return false;
    const lines = Array.from(bans, ([network, endsAt]) => `${network} ${endsAt}\n`);
    this.#writing = this.#write(lines.join("")).finally(() => {
      this.#writing = undefined;
    });
    return true;
  }

  /** Resolves once a running write is on disk. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(text: string): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true });
      await replaceFile(this.#path, text, { mode: 0o600 });
    } catch (error) {
      this.#log.warn({ err: error }, "bans cannot be kept on disk");
    }
  }
}
