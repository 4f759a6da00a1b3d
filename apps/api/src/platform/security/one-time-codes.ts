import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Crockford's base32: no I, L, O or U to be misread. 8 characters are 40 bits. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 8;

export function newOneTimeCode(): string {
  return [...randomBytes(codeLength)].map((byte) => alphabet[byte % alphabet.length]).join("");
}

/** The code as it was sent: case and look-alikes do not matter when typing. */
function normalizeCode(typed: string): string {
  return typed.trim().toUpperCase().replaceAll("O", "0").replaceAll(/[IL]/g, "1");
}

/** Whether it may be one of these codes: those of authenticators are shorter. */
export function isCodeLong(typed: string): boolean {
  return normalizeCode(typed).length === codeLength;
}

/** Keyed: a reader of the table would find 40 bits behind a plain hash in seconds. */
export function hashOneTimeCode(key: Buffer, emailKey: string, code: string): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([emailKey, normalizeCode(code)]))
    .digest("base64url");
}

export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
