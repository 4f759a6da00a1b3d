import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** Encrypts secrets that have to be read again, for rest in the database. */
export interface Sealer {
  /** @param subject the owner of the text: sealed for one, it cannot be opened for another */
  seal(secret: string, subject: string): string;
  /** @throws where it was sealed for another subject or by another key, or was changed */
  open(sealed: string, subject: string): string;
}

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM. @param key 32 bytes, of this purpose alone: see `deriveKey` */
export function createSealer(key: Buffer): Sealer {
  return {
    seal(secret, subject) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(subject));
      const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(sealed, subject) {
      const bytes = Buffer.from(sealed, "base64url");
      const nonce = bytes.subarray(0, nonceBytes);
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(subject))
        .setAuthTag(tag);
      const body = bytes.subarray(nonceBytes + tagBytes);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
    },
  };
}
