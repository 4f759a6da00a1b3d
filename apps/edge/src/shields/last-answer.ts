import type { BackendHealth } from "#src/routing/backend-state.ts";
import type { StatusEntry } from "./status-slot.ts";

/**
 * The answer from memory that a shield's pings last got from its first backend: the next ping is
 * mostly alike. It saves that ping a walk through groups, backends and cache, which are cold in
 * memory on an edge of many shields.
 */
export class LastAnswer {
  /** Host and protocol as the client named them. */
  #host = "";
  #protocol = 0;
  #entry: StatusEntry | undefined;
  #health: BackendHealth | undefined;
  /** An integer, so that it is stored in the object itself. */
  #freshUntilMs = 0;

  /** The answer, if it fits this ping too and is as good as when it was kept. */
  answer(host: string, protocol: number, nowMs: number): Buffer | undefined {
    if (nowMs > this.#freshUntilMs || protocol !== this.#protocol || host !== this.#host) {
      return undefined;
    }
    return this.#health?.isDown === false ? this.#entry?.frame : undefined;
  }

  /** @param freshMs age up to which the entry is given without being asked for anew */
  keep(
    host: string,
    protocol: number,
    entry: StatusEntry,
    health: BackendHealth,
    freshMs: number,
  ): void {
    this.#host = host;
    this.#protocol = protocol;
    this.#entry = entry;
    this.#health = health;
    this.#freshUntilMs = Math.floor(entry.fetchedAtMs + freshMs);
  }
}
