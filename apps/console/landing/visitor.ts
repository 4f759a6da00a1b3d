import { useSyncExternalStore } from "react";

/** Whether the console has left an access token; whether it still counts, the console finds out. */
export function useSignedIn(): boolean {
  return useSyncExternalStore(subscribe, hasToken, () => false);
}

function hasToken(): boolean {
  try {
    return localStorage.getItem("access_token") !== null;
  } catch {
    return false;
  }
}

function subscribe(changed: () => void): () => void {
  globalThis.addEventListener("storage", changed);
  // A page taken from the back-forward cache has missed what happened meanwhile.
  globalThis.addEventListener("pageshow", changed);
  return () => {
    globalThis.removeEventListener("storage", changed);
    globalThis.removeEventListener("pageshow", changed);
  };
}
