const key = "register_data";

/** The e-mail that waits for its confirmation code. It survives a reload and another tab. */
export const pendingEmail = {
  read(): string | null {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
      const email = stored instanceof Object && "email" in stored ? stored.email : null;
      return typeof email === "string" && email !== "" ? email : null;
    } catch {
      return null;
    }
  },
  store(email: string): void {
    localStorage.setItem(key, JSON.stringify({ email }));
  },
  clear(): void {
    localStorage.removeItem(key);
  },
};
