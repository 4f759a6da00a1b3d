const emailKey = "reset_email";

/** In memory alone: with the mailbox's code, a reader of the browser's storage could take the account. */
let verifiedCode = "";

/**
 * The state of a password reset between its pages. The e-mail survives a reload and another tab; the
 * code has to be typed again there.
 */
export const pendingReset = {
  readEmail(): string | null {
    return localStorage.getItem(emailKey);
  },
  /** The code that the api has verified, else an empty one. */
  readCode(): string {
    return verifiedCode;
  },
  /** Forgets the code of an earlier request. */
  storeEmail(email: string): void {
    localStorage.setItem(emailKey, email);
    verifiedCode = "";
  },
  storeVerified(email: string, code: string): void {
    localStorage.setItem(emailKey, email);
    verifiedCode = code;
  },
  clearCode(): void {
    verifiedCode = "";
  },
  clear(): void {
    localStorage.removeItem(emailKey);
    verifiedCode = "";
  },
};
