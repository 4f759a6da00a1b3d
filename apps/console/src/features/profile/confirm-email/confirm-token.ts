import { create } from "zustand";

/** The token of the link that was opened last, kept in memory only. */
export const useLinkToken = create<{ readonly token: string | null }>()(() => ({ token: null }));

/** Takes the token of `#token=...`, so that it can be removed from the address. */
export function takeLinkToken(hash: string): boolean {
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  if (token === null || token === "") return false;
  useLinkToken.setState({ token });
  return true;
}
