import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

/**
 * Says when something changes at a place, a file or a folder, as far as the system tells. What it
 * misses (network file systems, a folder that was replaced) is for whoever looks from time to time,
 * and arms it anew then.
 */
export class PathWatcher {
  readonly #place: string;
  readonly #onChange: () => void;
  #watchers: FSWatcher[] = [];

  constructor(place: string, onChange: () => void) {
    this.#place = place;
    this.#onChange = onChange;
  }

  arm(): void {
    this.stop();
    this.#watch(this.#place, () => true);
    // Replaced by renaming, or there for the first time: that is seen from above.
    const name = basename(this.#place);
    this.#watch(dirname(this.#place), (changed) => changed === name);
  }

  stop(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }

  #watch(path: string, concerns: (name: string | null) => boolean): void {
    try {
      const watcher = watch(path, { persistent: false }, (_event, name) => {
        if (concerns(name)) this.#onChange();
      });
      watcher.on("error", () => watcher.close());
      this.#watchers.push(watcher);
    } catch {
      // It is not there, or the system watches no more of them.
    }
  }
}
