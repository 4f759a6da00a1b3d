import { createHmac } from "node:crypto";
import type { Keys } from "#src/platform/security/derived-key.ts";
import { sameHash } from "#src/platform/security/one-time-codes.ts";
import { newToken } from "#src/platform/security/tokens.ts";

const cookieName = "palisade_device";

interface CookieReader {
  cookie(name: string): string | undefined;
}

/**
 * The cookie of a browser that has logged in. It opens nothing; it only shows an account that the
 * caller is no stranger. It is signed, so that an invented one is told from a real one without a
 * look at the database.
 */
export function createDeviceCookie(keys: Keys) {
  const signatureOf = (token: string, key: Buffer = keys[0]) =>
    createHmac("sha256", key).update(token).digest("base64url");
  return {
    /** The token of a cookie that we signed, also before a rotation of the secret. */
    read(caller: CookieReader): string | undefined {
      const [token = "", signature = ""] = (caller.cookie(cookieName) ?? "").split(".");
      const isOurs = keys.some((key) => sameHash(signatureOf(token, key), signature));
      return token !== "" && isOurs ? token : undefined;
    },
    newToken: () => newToken("psd_"),
    cookie: (token: string, maxAgeSeconds: number) => ({
      name: cookieName,
      value: `${token}.${signatureOf(token)}`,
      httpOnly: true,
      maxAgeSeconds,
    }),
  };
}
