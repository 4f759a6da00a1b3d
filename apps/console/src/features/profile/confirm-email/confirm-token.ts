/** The token of the link that was opened: out of the address, and in no storage. */
let token: string | null = null;

/** Takes `#token=...` of an address into memory, so that the address can lose it. */
export function keepToken(hash: string): boolean {
  const found = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  if (found === null || found === "") return false;
  token = found;
  return true;
}

/** The token of the link that was opened last, until the page is loaded anew. */
export function keptToken(): string | null {
  return token;
}
