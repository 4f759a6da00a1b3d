const key = "invitation_token";

/**
 * The token of the invitation that was opened in this tab: out of the address, and kept while
 * somebody registers, confirms their e-mail and logs in.
 */
export const invitationToken = {
  /** Takes `#token=...` of an address, so that the address can lose it. */
  keep(hash: string): boolean {
    const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
    if (token === null || token === "") return false;
    sessionStorage.setItem(key, token);
    return true;
  },
  read(): string | null {
    return sessionStorage.getItem(key);
  },
  clear(): void {
    sessionStorage.removeItem(key);
  },
};
