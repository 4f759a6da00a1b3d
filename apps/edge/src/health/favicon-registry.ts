import { hash } from "node:crypto";
import { type BackendFavicon, faviconsPerReportMax } from "@palisade/contract/edge/telemetry";
import type { FaviconSource } from "#src/ports.ts";
import type { Backend } from "#src/shields/backend-groups.ts";

/** A backend's icon is reported at most this often: some servers show another one at every ping. */
export const changeEveryMs = 300_000;
/** An unchanged icon is reported again after this time, in case the api has lost it. */
export const repeatAfterMs = 21_600_000;
/** Icons that wait to be reported, 22 KB each; one that finds no room comes with a later check. */
export const waitingMax = 512;

interface Reported {
  /** Tells one icon from another; null for none. */
  readonly fingerprint: string | null;
  readonly atMs: number;
}

interface Waiting {
  readonly fingerprint: string | null;
  readonly report: BackendFavicon;
}

/** Remembers which icon of each backend was reported, and keeps changed icons until they have arrived. */
export class FaviconRegistry implements FaviconSource {
  readonly #monotonicMs: () => number;
  readonly #reported = new WeakMap<Backend, Reported>();
  readonly #waiting = new Map<Backend, Waiting>();

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** @param favicon of the status that a check has just got, as a data URI; null for none */
  seen(backend: Backend, favicon: string | null): void {
    const fingerprint = favicon === null ? null : hash("sha256", favicon, "base64");
    const waiting = this.#waiting.get(backend);
    // A report that may be under way stays the same object, so that its arrival is noticed.
    if (waiting?.fingerprint === fingerprint) return;
    if (waiting === undefined && !this.#hasRoomAndTime(backend, fingerprint)) return;
    const report = { shield_id: backend.shieldId, backend_id: backend.id, favicon };
    this.#waiting.set(backend, { fingerprint, report });
  }

  /** No shield has the backend any more. */
  forget(backend: Backend): void {
    this.#waiting.delete(backend);
  }

  reports(): BackendFavicon[] {
    return [...this.#waiting.values()].slice(0, faviconsPerReportMax).map(({ report }) => report);
  }

  markDelivered(reports: readonly BackendFavicon[]): void {
    const delivered = new Set(reports);
    const atMs = this.#monotonicMs();
    for (const [backend, { fingerprint, report }] of this.#waiting) {
      if (!delivered.has(report)) continue;
      this.#waiting.delete(backend);
      this.#reported.set(backend, { fingerprint, atMs });
    }
  }

  #hasRoomAndTime(backend: Backend, fingerprint: string | null): boolean {
    if (this.#waiting.size >= waitingMax) return false;
    const reported = this.#reported.get(backend);
    if (reported === undefined) return true;
    const dueMs = reported.fingerprint === fingerprint ? repeatAfterMs : changeEveryMs;
    return this.#monotonicMs() - reported.atMs >= dueMs;
  }
}
