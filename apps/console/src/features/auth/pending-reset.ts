const emailKey = "reset_email";
const codeKey = "reset_code";

/** What the steps of a password reset hand on; it must survive a reload and another tab. */
export const pendingReset = {
  readEmail(): string | null {
    return localStorage.getItem(emailKey);
  },
  /** Both, where the code was found right; a new password needs nothing less. */
  readVerified(): { readonly email: string; readonly code: string } | null {
    const email = localStorage.getItem(emailKey);
    const code = localStorage.getItem(codeKey);
    return email === null || code === null ? null : { email, code };
  },
  /** A code of an earlier request is not good for this one. */
  storeEmail(email: string): void {
    localStorage.setItem(emailKey, email);
    localStorage.removeItem(codeKey);
  },
  storeVerified(email: string, code: string): void {
    localStorage.setItem(emailKey, email);
    localStorage.setItem(codeKey, code);
  },
  clearCode(): void {
    localStorage.removeItem(codeKey);
  },
  clear(): void {
    localStorage.removeItem(emailKey);
    localStorage.removeItem(codeKey);
  },
};
