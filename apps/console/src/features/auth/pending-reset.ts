const emailKey = "reset_email";
const codeKey = "reset_code";

/** The state of a password reset between its pages. It survives a reload and another tab. */
export const pendingReset = {
  readEmail(): string | null {
    return localStorage.getItem(emailKey);
  },
  /** E-mail and code once the api has verified the code, else null. */
  readVerified(): { readonly email: string; readonly code: string } | null {
    const email = localStorage.getItem(emailKey);
    const code = localStorage.getItem(codeKey);
    return email === null || code === null ? null : { email, code };
  },
  /** Removes the code of an earlier request. */
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
