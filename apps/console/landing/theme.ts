import { useSyncExternalStore } from "react";
import { onStored, store } from "./stored.ts";

type ThemeMode = "dark" | "light";

const key = "persist: theme";
const listeners = new Set<() => void>();

/** public/boot.js has put the stored theme on <html> before the first paint. */
function shown(): ThemeMode {
  return document.documentElement.dataset["mantineColorScheme"] === "light" ? "light" : "dark";
}

function show(mode: ThemeMode): void {
  document.documentElement.dataset["mantineColorScheme"] = mode;
  for (const listener of listeners) listener();
}

export function startTheme(): void {
  onStored(key, ({ mode }) => show(mode === "light" ? "light" : "dark"));
}

export function toggleTheme(): void {
  const mode = shown() === "dark" ? "light" : "dark";
  store(key, { mode });
  show(mode);
}

export function useThemeMode(): ThemeMode {
  return useSyncExternalStore(subscribe, shown, () => "dark");
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
