import {
  constants,
  createCipheriv,
  createDecipheriv,
  generateKeyPair,
  type KeyObject,
  privateDecrypt,
} from "node:crypto";
import { promisify } from "node:util";
import type { ConnectionCipher } from "./rules/packet-stream.ts";

/**
 * The key players encrypt to, made once per start. Sources: minecraft.wiki, "Java Edition
 * protocol/Encryption".
 */

/** The size every client expects. The key protects nothing but the check of the account. */
const modulusBits = 1_024;
const secretBytes = 16;

export interface LoginKey {
  /** DER, SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  /** Length of data encrypted to it. */
  readonly encryptedBytes: number;
  /** Undefined if the client has not encrypted to this key. Takes some 0.1 ms. */
  decrypt(encrypted: Uint8Array): Buffer | undefined;
}

/** Off the event loop's thread: the search for primes may take a tenth of a second. */
export async function createLoginKey(): Promise<LoginKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: modulusBits,
  });
  return {
    publicKey: publicKey.export({ type: "spki", format: "der" }),
    encryptedBytes: modulusBits / 8,
    decrypt: (encrypted) => decrypt(privateKey, encrypted),
  };
}

function decrypt(key: KeyObject, encrypted: Uint8Array): Buffer | undefined {
  if (encrypted.length !== modulusBits / 8) return undefined;
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, encrypted);
  } catch {
    return undefined;
  }
}

/** Undefined if the secret does not have the length of a key. */
export function createCipher(secret: Uint8Array): ConnectionCipher | undefined {
  if (secret.length !== secretBytes) return undefined;
  const cipher = createCipheriv("aes-128-cfb8", secret, secret);
  const decipher = createDecipheriv("aes-128-cfb8", secret, secret);
  return {
    encrypt: (bytes) => cipher.update(bytes),
    decrypt: (bytes) => decipher.update(bytes),
  };
}
