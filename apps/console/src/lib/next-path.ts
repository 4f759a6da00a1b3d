import { needsSession, paths } from "#src/lib/paths.ts";

/** A dummy origin, to test whether a path stays on it. */
const origin = "http://console.invalid";

/**
 * The page to return to after logging in, or null where `next` is not a path of this console.
 * Backslashes and control characters are refused outright: browsers read `/\host` as `//host`.
 */
export function safeNextPath(next: unknown): string | null {
  if (typeof next !== "string" || !next.startsWith("/") || hasTrickCharacters(next)) return null;
  try {
    const url = new URL(next, origin);
    const isKnown = needsSession(url.pathname) || url.pathname === paths.invitation;
    if (url.origin !== origin || !isKnown) return null;
    return url.pathname + url.search + url.hash;
  } catch {
    return null;
  }
}

function hasTrickCharacters(path: string): boolean {
  return path.startsWith("//") || /[\\\s\p{Cc}]/u.test(path);
}
