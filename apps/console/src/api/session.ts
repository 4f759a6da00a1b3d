import { consolePaths, staffPath } from "@palisade/contract/console-paths";
import type { CurrentUser } from "@palisade/contract/http/auth";
import { create } from "zustand";
import { persist } from "zustand/middleware";

const tokenKey = "access_token";

/** The last known user, so that a reload shows the console at once while it is checked again. */
export const useStoredUser = create<{ user: CurrentUser | null }>()(
  persist(() => ({ user: null as CurrentUser | null }), { name: "persist: user" }),
);

/** A staff member sees in this tab what a customer sees, by a token that only reads. */
export interface CustomerView {
  readonly id: string;
  readonly token: string;
  readonly userId: string;
  readonly email: string;
  readonly expiresAt: string;
}

const viewKey = "view_as";

/** Undefined in every tab but the one that began a view. */
export function readView(): CustomerView | undefined {
  const stored = sessionStorage.getItem(viewKey);
  return stored === null ? undefined : (JSON.parse(stored) as CustomerView);
}

/** The next document of this tab is the customer's dashboard. */
export function beginView(view: CustomerView): void {
  sessionStorage.setItem(viewKey, JSON.stringify(view));
  globalThis.location.assign(consolePaths.dashboard);
}

/** Calls of this tab are the staff member's own again. */
export function forgetView(): void {
  sessionStorage.removeItem(viewKey);
}

/** Back to the customer's page in the staff area, as a new document that knows nothing of the view. */
export function leaveView({ userId }: CustomerView): void {
  forgetView();
  globalThis.location.assign(`${staffPath("users", userId)}?message=view_ended`);
}

export function readToken(): string | null {
  return readView()?.token ?? localStorage.getItem(tokenKey);
}

/** Stores the user first: the token notifies other tabs, which then read the user. */
export function beginSession(token: string, user: CurrentUser): void {
  useStoredUser.setState({ user });
  localStorage.setItem(tokenKey, token);
}

/** Held by the tab that replaces the token, so that the other tabs wait until the new one is stored. */
const tokenLock = "palisade access token";

/** Pages without TLS have no locks. There, a call beside a renewal may end the session. */
function withTokenLock<T>(mode: LockMode, work: () => Promise<T>): Promise<T> {
  // The types do not say that insecure pages lack it.
  const locks = navigator.locks as LockManager | undefined;
  return locks === undefined ? work() : locks.request(tokenLock, { mode }, work);
}

/** Replaces the session's token by the one that `renew` gets for it; one tab at a time. */
export function renewToken(renew: () => Promise<string>): Promise<void> {
  return withTokenLock("exclusive", async () => {
    const before = readToken();
    const token = await renew();
    // The user may have logged out, or another one in, while the api answered.
    if (readToken() === before) localStorage.setItem(tokenKey, token);
  });
}

/** The token once no tab is about to replace it. */
export function settledToken(): Promise<string | null> {
  return withTokenLock("shared", async () => readToken());
}

/** `replaced`: another user has logged in in another tab, and every call is made as them. */
type EndReason = "expired" | "logged_out" | "replaced";
type EndListener = (reason: EndReason) => void;
const listeners = new Set<EndListener>();

/** Forgets token and user. With `used`, only if that is still the stored token. */
export function endSession(reason: EndReason, used?: string): void {
  if (used !== undefined && readToken() !== used) return;
  const view = readView();
  if (view !== undefined) return leaveView(view);
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
  // No key: a logout in another tab made the browser clear the whole storage.
  if (key !== tokenKey && key !== null) return;
  const before = useStoredUser.getState().user;
  if (newValue === null) {
    forgetView();
    useStoredUser.setState({ user: null });
    tellEnd("logged_out");
  } else if (oldValue !== null) {
    void useStoredUser.persist.rehydrate();
    if (useStoredUser.getState().user?.email !== before?.email) tellEnd("replaced");
  }
});
