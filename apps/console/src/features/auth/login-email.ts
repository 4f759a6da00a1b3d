let kept = "";

/**
 * The e-mail that was just confirmed, or whose password was just reset: the login page begins with it.
 * Only in memory, until the login.
 */
export const loginEmail = {
  keep(email: string): void {
    kept = email;
  },
  read(): string {
    return kept;
  },
  clear(): void {
    kept = "";
  },
};
