/**
 * Reads and writes the console's persisted choices in the shape of its stores
 * (src/lib/preferences.ts). Importing the stores would load the contract's texts as well.
 */
export function store(key: string, state: Readonly<Record<string, string>>): void {
  try {
    localStorage.setItem(key, JSON.stringify({ state, version: 0 }));
  } catch {
    // Storage may be forbidden or full: then the choice lasts as long as the page.
  }
}

/** Runs `changed` when another tab has chosen differently. */
export function onStored(key: string, changed: (state: Record<string, unknown>) => void): void {
  globalThis.addEventListener("storage", (event) => {
    if (event.key !== key || event.newValue === null) return;
    const { state } = JSON.parse(event.newValue) as { state?: Record<string, unknown> };
    if (state) changed(state);
  });
}
