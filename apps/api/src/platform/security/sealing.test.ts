import { expect, test } from "vitest";
import { deriveKey } from "./derived-key.ts";
import { createSealer } from "./sealing.ts";

const secret = "a secret of the installation, long enough";
const sealer = createSealer(deriveKey(secret, "tests"));

test("a sealed text opens for its subject only, and no two look alike", () => {
  const sealed = sealer.seal("ключ", "anna");
  expect(sealer.open(sealed, "anna")).toBe("ключ");
  expect(sealer.seal("ключ", "anna")).not.toBe(sealed);
  expect(() => sealer.open(sealed, "boris")).toThrow(/authenticate/);
});

test("a change, a cut and another key show", () => {
  const sealed = sealer.seal("secret", "anna");
  const bytes = Buffer.from(sealed, "base64url");
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(() => sealer.open(bytes.toString("base64url"), "anna")).toThrow(/authenticate/);
  for (const length of [0, 5, 12, 20, 27]) {
    const cut = Buffer.from(sealed, "base64url").subarray(0, length).toString("base64url");
    expect(() => sealer.open(cut, "anna"), String(length)).toThrow(Error);
  }
  const other = createSealer(deriveKey(secret, "other tests"));
  expect(() => other.open(sealed, "anna")).toThrow(/authenticate/);
});
