import { locales, pickLocale, type Locale } from "@palisade/contract/texts/locale";
import { create } from "zustand";
import { persist } from "zustand/middleware";

export type ThemeMode = "dark" | "light";

// public/boot.js reads these two entries before the first paint: keep their shape in step.
export const useTheme = create<{ mode: ThemeMode; toggle: () => void }>()(
  persist(
    (set) => ({
      mode: "dark",
      toggle: () => set(({ mode }) => ({ mode: mode === "dark" ? "light" : "dark" })),
    }),
    { name: "persist: theme" },
  ),
);

export const useLocale = create<{ locale: Locale; choose: (locale: Locale) => void }>()(
  persist(
    (set) => ({
      locale: pickLocale(globalThis.navigator?.languages.join(",")),
      choose: (locale) => set({ locale }),
    }),
    {
      name: "persist: locale",
      merge: (stored, current) => ({ ...current, ...knownLocale(stored) }),
    },
  ),
);

export const useNavigationWidth = create<{ collapsed: boolean; toggle: () => void }>()(
  persist(
    (set) => ({ collapsed: false, toggle: () => set((s) => ({ collapsed: !s.collapsed })) }),
    {
      name: "persist: navigation",
    },
  ),
);

/** Announcements that the reader closed, the newest first. */
export const useDismissed = create<{
  dismissed: readonly string[];
  dismiss: (name: string) => void;
}>()(
  persist(
    (set) => ({
      dismissed: [],
      dismiss: (name) => set(({ dismissed }) => ({ dismissed: [name, ...dismissed].slice(0, 50) })),
    }),
    { name: "persist: announcements" },
  ),
);

/** Stores them again, after the browser was told to forget everything else about this site. */
export function keepPreferences(): void {
  useTheme.setState({});
  useLocale.setState({});
  useNavigationWidth.setState({});
}

function knownLocale(stored: unknown): { locale: Locale } | undefined {
  const value = stored instanceof Object && "locale" in stored ? stored.locale : undefined;
  const locale = locales.find((known) => known === value);
  return locale === undefined ? undefined : { locale };
}
