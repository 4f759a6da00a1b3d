import {
  encodeBoolean,
  encodeByteArray,
  encodeFrame,
  encodeShortByteArray,
  encodeString,
  FieldReader,
} from "./fields.ts";
import { atLeast } from "./versions.ts";

/**
 * Proof of an account in the login state. Encryption Request and Encryption Response have id 1,
 * each in its direction. Source: minecraft.wiki, "Java Edition protocol/Packets", Login, and
 * "Java Edition protocol/Encryption".
 *
 * For a proof of a paid account: send the request with the public key (DER, SubjectPublicKeyInfo) and a token
 * of 4 bytes; decode the response; decrypt secret and token with RSA PKCS#1 v1.5; from then on both
 * ways are AES-128-CFB8 with the secret as key and vector; ask the session server for the name and
 * the hash of the join. RSA, AES, SHA-1 and the session server are the caller's.
 */

const requestPacketId = 1;
export const encryptionResponsePacketId = 1;

/** Output of a 4096-bit key: more than any client sends back for ours. */
const cipherBytesMax = 512;
const signatureBytesMax = 4096;

export interface EncryptionRequest {
  /** Empty since 1.7; only the hash depends on it. */
  readonly serverId: string;
  readonly publicKey: Uint8Array;
  readonly verifyToken: Uint8Array;
}

export function encodeEncryptionRequest(protocol: number, request: EncryptionRequest): Buffer {
  const byteArray = atLeast(protocol, "1.8") ? encodeByteArray : encodeShortByteArray;
  const fields = [
    encodeString(request.serverId),
    byteArray(request.publicKey),
    byteArray(request.verifyToken),
  ];
  // Whether the client must report its join to the session server.
  if (atLeast(protocol, "1.20.5")) fields.push(encodeBoolean(true));
  return encodeFrame(requestPacketId, ...fields);
}

/**
 * How the client proves that it decrypted the token: it returns it encrypted, or (1.19 to 1.19.2,
 * with a profile key in Login Start) signs the plain token and the salt (SHA-256 with RSA over token
 * and 8 bytes of salt, big endian) with that key.
 */
export type TokenProof =
  | { readonly kind: "token"; readonly encryptedToken: Buffer }
  | { readonly kind: "signature"; readonly salt: bigint; readonly signature: Buffer };

/** Views of the bytes that were read: copy what outlives them. */
export type EncryptionResponseResult =
  | { readonly ok: true; readonly encryptedSecret: Buffer; readonly proof: TokenProof }
  | { readonly ok: false; readonly reason: "encryption-response-malformed" };

export function decodeEncryptionResponse(
  bytes: Buffer,
  start: number,
  end: number,
  protocol: number,
): EncryptionResponseResult {
  const fields = new FieldReader(bytes, start, end);
  const encryptedSecret = cipherText(fields, protocol);
  const proof = tokenProof(fields, protocol);
  if (!fields.complete) return { ok: false, reason: "encryption-response-malformed" };
  return { ok: true, encryptedSecret, proof };
}

function tokenProof(fields: FieldReader, protocol: number): TokenProof {
  const maySign = atLeast(protocol, "1.19") && !atLeast(protocol, "1.19.3");
  if (maySign && !fields.boolean()) {
    return {
      kind: "signature",
      salt: fields.long(),
      signature: fields.byteArray(signatureBytesMax),
    };
  }
  return { kind: "token", encryptedToken: cipherText(fields, protocol) };
}

function cipherText(fields: FieldReader, protocol: number): Buffer {
  return atLeast(protocol, "1.8")
    ? fields.byteArray(cipherBytesMax)
    : fields.shortByteArray(cipherBytesMax);
}

/**
 * Identifies a join to the session server, for client and server: a signed number in hex, with a minus
 * and without leading zeros.
 *
 * @param sha1 of server id, shared secret and public key, concatenated
 */
export function formatServerHash(sha1: Buffer): string {
  return BigInt.asIntN(160, BigInt(`0x${sha1.toString("hex")}`)).toString(16);
}
