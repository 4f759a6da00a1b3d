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

export function beginSession(token: string, user: CurrentUser): void {
  localStorage.setItem(tokenKey, token);
  useStoredUser.setState({ user });
}

type EndReason = "expired" | "logged_out";
type EndListener = (reason: EndReason) => void;
const listeners = new Set<EndListener>();

/** Forgets token and user; with `used`, only where no newer token has taken its place meanwhile. */
export function endSession(reason: EndReason, used?: string): void {
  if (used !== undefined && readToken() !== used) return;
  localStorage.removeItem(tokenKey);
  useStoredUser.setState({ user: null });
  for (const listener of listeners) listener(reason);
}

/** Runs `listener` when the session ends here or in another tab. */
export function onSessionEnd(listener: EndListener): void {
  listeners.add(listener);
  globalThis.addEventListener("storage", (event) => {
    if (event.key === tokenKey && event.newValue === null) listener("logged_out");
  });
}
