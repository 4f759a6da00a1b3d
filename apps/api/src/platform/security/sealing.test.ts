import { expect, test } from "vitest";
import { deriveKey, deriveKeys } from "./derived-key.ts";
import { createSealer } from "./sealing.ts";

const secret = "a secret of the installation, long enough";
const sealer = createSealer([deriveKey(secret, "tests")]);

test("a sealed text opens for its subject only, and no two look alike", () => {
  const sealed = sealer.seal("ключ", "anna");
  expect(sealer.open(sealed, "anna")).toBe("ключ");
  expect(sealer.seal("ключ", "anna")).not.toBe(sealed);
  expect(() => sealer.open(sealed, "boris")).toThrow(/authenticate/);
});

test("after a rotation old texts open by the former secret, new ones only by the new one", () => {
  const rotated = { secret: "the next secret of the installation", formerSecrets: [secret] };
  const next = createSealer(deriveKeys(rotated, "tests"));
  const old = sealer.seal("secret", "anna");
  expect(next.open(old, "anna")).toBe("secret");
  expect(() => next.open(old, "boris")).toThrow(/authenticate/);
  const fresh = next.seal("secret", "anna");
  expect([fresh.startsWith(next.currentPrefix), old.startsWith(next.currentPrefix)]).toEqual([
    true,
    false,
  ]);
  expect(() => sealer.open(fresh, "anna")).toThrow(/PALISADE_FORMER_SECRETS/);
});

test("texts from before keys had names still open", () => {
  const unnamed = sealer.seal("secret", "anna").slice(sealer.currentPrefix.length);
  const next = createSealer([deriveKey("another", "tests"), deriveKey(secret, "tests")]);
  expect([sealer, next].map((each) => each.open(unnamed, "anna"))).toEqual(["secret", "secret"]);
  expect(() => next.open(unnamed, "boris")).toThrow(/authenticate/);
});

test("a change, a cut and another key show", () => {
  const sealed = sealer.seal("secret", "anna");
  const body = sealed.slice(sealer.currentPrefix.length);
  const bytes = Buffer.from(body, "base64url");
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(() => sealer.open(bytes.toString("base64url"), "anna")).toThrow(/authenticate/);
  for (const length of [0, 5, 12, 20, 27]) {
    const cut = Buffer.from(body, "base64url").subarray(0, length).toString("base64url");
    expect(() => sealer.open(cut, "anna"), String(length)).toThrow(Error);
  }
  const other = createSealer([deriveKey(secret, "other tests")]);
  expect(() => other.open(sealed, "anna")).toThrow(/PALISADE_FORMER_SECRETS/);
  expect(() => other.open(other.currentPrefix + body, "anna")).toThrow(/authenticate/);
});
