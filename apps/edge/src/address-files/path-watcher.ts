import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

/**
 * Reports changes at a path, a file or a folder, as far as the system does. Changes that it misses
 * (network file systems, a replaced folder) are found by the regular check, which arms it again.
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
    // A file that is replaced by renaming, or new, is seen from the folder above.
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
      // The path does not exist, or the system allows no more watchers.
    }
  }
}
