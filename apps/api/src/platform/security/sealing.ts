import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Keys } from "./derived-key.ts";

/** Encrypts secrets that have to be read again, for rest in the database. */
export interface Sealer {
  /** @param subject the owner of the text: sealed for one, it cannot be opened for another */
  seal(secret: string, subject: string): string;
  /** @throws where it was sealed for another subject or by an unknown key, or was changed */
  open(sealed: string, subject: string): string;
  /** Every text that was sealed by the current key begins with it. */
  readonly currentPrefix: string;
}

const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM. A sealed text names its key, so that the secret of the installation can be rotated.
 *
 * @param keys 32 bytes each, of this purpose alone: see `deriveKeys`
 */
export function createSealer(keys: Keys): Sealer {
  const [current] = keys;
  const byPrefix = new Map(keys.map((key) => [prefixOf(key), key]));
  const currentPrefix = prefixOf(current);
  return {
    currentPrefix,
    seal: (secret, subject) => currentPrefix + encrypt(current, secret, subject),
    open(sealed, subject) {
      const dot = sealed.indexOf(".") + 1;
      // Texts from before keys had names begin with none: the right key is the one that opens it.
      if (dot === 0) return openByAny(keys, sealed, subject);
      const key = byPrefix.get(sealed.slice(0, dot));
      if (key === undefined) {
        throw new Error("It was sealed under a secret that PALISADE_FORMER_SECRETS does not list");
      }
      return decrypt(key, sealed.slice(dot), subject);
    },
  };
}

/** Names the key without telling anything about it. */
function prefixOf(key: Buffer): string {
  return `${createHash("sha256").update(key).digest("hex").slice(0, 8)}.`;
}

function openByAny(keys: Keys, sealed: string, subject: string): string {
  let failure: unknown;
  for (const key of keys) {
    try {
      return decrypt(key, sealed, subject);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function encrypt(key: Buffer, secret: string, subject: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(subject));
  const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

function decrypt(key: Buffer, sealed: string, subject: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const nonce = bytes.subarray(0, nonceBytes);
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(subject))
    .setAuthTag(tag);
  const body = bytes.subarray(nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
}
