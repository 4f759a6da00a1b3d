import { create } from "zustand";

/** The token of the link that was opened last: out of the address, and in no storage. */
export const useLinkToken = create<{ readonly token: string | null }>()(() => ({ token: null }));

/** Takes `#token=...` of an address into memory, so that the address can lose it. */
export function takeLinkToken(hash: string): boolean {
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  if (token === null || token === "") return false;
  useLinkToken.setState({ token });
  return true;
}
