import { createHmac, timingSafeEqual } from "node:crypto";
import type { SignedAnswer } from "#src/wire/signed-answer.ts";
import { encodeName } from "#src/wire/name.ts";

/** RFC 8945 section 10: allowed difference of the two clocks, in seconds. */
const fudgeSeconds = 300;
const algorithmName = encodeName("hmac-sha256");
const typeTsig = 250;
const classAny = 255;
const additionalCountAt = 10;

/** TSIG errors, RFC 8945 section 3. */
export const tsigError = { badSignature: 16, badKey: 17, badTime: 18, badTruncation: 22 } as const;

export interface TsigKey {
  readonly name: string;
  readonly secret: Buffer;
}

interface Variables {
  readonly keyName: Buffer;
  readonly algorithm: Buffer;
  readonly timeSeconds: number;
  readonly fudgeSeconds: number;
  readonly error: number;
  readonly other: Buffer;
}

/** Signs a request (RFC 8945 section 5.1): the TSIG record goes last into the additional section. */
export function signMessage(
  message: Buffer,
  key: TsigKey,
  nowSeconds: number,
): { readonly message: Buffer; readonly mac: Buffer } {
  const variables: Variables = {
    keyName: encodeName(key.name),
    algorithm: algorithmName,
    timeSeconds: nowSeconds,
    fudgeSeconds,
    error: 0,
    other: Buffer.alloc(0),
  };
  const mac = createHmac("sha256", key.secret).update(message).update(digestOf(variables)).digest();
  const data = Buffer.concat([
    algorithmName,
    uint(nowSeconds, 6),
    uint(fudgeSeconds, 2),
    uint(mac.length, 2),
    mac,
    message.subarray(0, 2),
    uint(0, 2),
    uint(0, 2),
  ]);
  const record = Buffer.concat([
    variables.keyName,
    uint(typeTsig, 2),
    uint(classAny, 2),
    uint(0, 4),
    uint(data.length, 2),
    data,
  ]);
  const signed = Buffer.concat([message, record]);
  signed.writeUInt16BE(message.readUInt16BE(additionalCountAt) + 1, additionalCountAt);
  return { message: signed, mac };
}

export type Signature = "valid" | "absent" | "foreign_key" | "wrong" | "outdated";

/**
 * Checks the signature of an answer (RFC 8945 section 5.3) to the request with this MAC. A truncated
 * MAC counts as wrong, because we do not ask for one.
 */
export function checkSignature(
  answer: SignedAnswer,
  requestMac: Buffer,
  key: TsigKey,
  nowSeconds: number,
): Signature {
  const { tsig } = answer;
  if (tsig === null || tsig.mac.length === 0) return "absent";
  if (!tsig.keyName.equals(encodeName(key.name))) return "foreign_key";
  if (!tsig.algorithm.equals(algorithmName)) return "foreign_key";
  const unsigned = Buffer.from(answer.message.subarray(0, tsig.start));
  unsigned.writeUInt16BE(tsig.originalId, 0);
  unsigned.writeUInt16BE(unsigned.readUInt16BE(additionalCountAt) - 1, additionalCountAt);
  const expected = createHmac("sha256", key.secret)
    .update(uint(requestMac.length, 2))
    .update(requestMac)
    .update(unsigned)
    .update(digestOf(tsig))
    .digest();
  if (tsig.mac.length !== expected.length || !timingSafeEqual(tsig.mac, expected)) return "wrong";
  // An error about the clock carries the time of the request (section 5.2.3).
  return Math.abs(nowSeconds - tsig.timeSeconds) > tsig.fudgeSeconds ? "outdated" : "valid";
}

/** The TSIG variables, in the order of RFC 8945 section 4.3.3. */
function digestOf(variables: Variables): Buffer {
  return Buffer.concat([
    variables.keyName,
    uint(classAny, 2),
    uint(0, 4),
    variables.algorithm,
    uint(variables.timeSeconds, 6),
    uint(variables.fudgeSeconds, 2),
    uint(variables.error, 2),
    uint(variables.other.length, 2),
    variables.other,
  ]);
}

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}
