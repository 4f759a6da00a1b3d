import type { CurrentUser } from "@palisade/contract/http/auth";
import { create } from "zustand";
import { persist } from "zustand/middleware";

const tokenKey = "access_token";

/** The last known user, so that a reload shows the console at once while it is checked again. */
export const useStoredUser = create<{ user: CurrentUser | null }>()(
  persist(() => ({ user: null as CurrentUser | null }), { name: "persist: user" }),
);

export function readToken(): string | null {
  return localStorage.getItem(tokenKey);
}

/** The user first: other tabs hear of the token, and look then whose it is. */
export function beginSession(token: string, user: CurrentUser): void {
  useStoredUser.setState({ user });
  localStorage.setItem(tokenKey, token);
}

/** `replaced`: in another tab somebody else has logged in, and every call from here is theirs. */
type EndReason = "expired" | "logged_out" | "replaced";
type EndListener = (reason: EndReason) => void;
const listeners = new Set<EndListener>();

/** Forgets token and user; with `used`, only where no newer token has taken its place meanwhile. */
export function endSession(reason: EndReason, used?: string): void {
  if (used !== undefined && readToken() !== used) return;
  localStorage.removeItem(tokenKey);
  useStoredUser.setState({ user: null });
  tellEnd(reason);
}

/** Runs `listener` when the session ends here or in another tab. */
export function onSessionEnd(listener: EndListener): void {
  listeners.add(listener);
}

function tellEnd(reason: EndReason): void {
  for (const listener of listeners) listener(reason);
}

globalThis.addEventListener("storage", ({ key, oldValue, newValue }) => {
  if (key !== tokenKey) return;
  const before = useStoredUser.getState().user;
  if (newValue === null) {
    useStoredUser.setState({ user: null });
    tellEnd("logged_out");
  } else if (oldValue !== null) {
    void useStoredUser.persist.rehydrate();
    if (useStoredUser.getState().user?.email !== before?.email) tellEnd("replaced");
  }
});
