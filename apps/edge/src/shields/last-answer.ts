import type { BackendHealth } from "#src/routing/backend-health.ts";
import type { StatusEntry } from "./status-slot.ts";

/**
 * What a shield's pings were last answered with from memory, if its first backend gave it: mostly
 * the next ping is alike. It keeps that ping from walking groups, backends and cache, which on an
 * edge of many shields lie cold in memory.
 */
export class LastAnswer {
  /** Host and protocol as the client named them. */
  #host = "";
  #protocol = 0;
  #entry: StatusEntry | undefined;
  #health: BackendHealth | undefined;
  /** Whole, so that it lies in the object itself. */
  #freshUntilMs = 0;

  /** The answer, if it is for this ping too and as good as when it was kept. */
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
