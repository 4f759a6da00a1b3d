const key = "invitation_token";

/**
 * The token of the invitation that this tab opened. It is kept while the user registers, confirms
 * their e-mail and logs in.
 */
export const invitationToken = {
  /** Stores the token of `#token=...`, so that it can be removed from the address. */
  store(hash: string): boolean {
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
