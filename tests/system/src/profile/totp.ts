import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const stepMs = 30_000;

/** The code an authenticator shows for the secret, `steps` half minutes from now (RFC 6238). */
export function totpCode(secret: string, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / stepMs) + steps));
  const digest = createHmac("sha1", decodeBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = (digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000;
  return String(number).padStart(6, "0");
}

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text.replaceAll(/[\s=]/g, ""), (character) =>
    alphabet.indexOf(character).toString(2).padStart(5, "0"),
  ).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
