import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The secret of a development home: made once and kept, so that a restart ends no session. */
export function loadDevelopmentSecret(home: string): string {
  const file = path.join(home, "secret");
  mkdirSync(home, { recursive: true });
  try {
    // `wx`: of two processes that start together, one writes and both read the same.
    writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  chmodSync(file, 0o600);
  return readFileSync(file, "utf8").trim();
}
