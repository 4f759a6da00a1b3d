import { constants, createPublicKey, publicEncrypt } from "node:crypto";
import { expect, test } from "vitest";
import { verificationLimits } from "./rules/limits.ts";
import { createLoginKey, AccountVerifier } from "./account-challenge.ts";

test("bytes that cannot be an answer use up none of the decryptions per second", async () => {
  const key = await createLoginKey();
  const verifier = new AccountVerifier({
    key,
    limits: { ...verificationLimits, decryptionsPerSecond: 1 },
    sessions: { isAvailable: true, hasJoined: async () => ({ kind: "unknown" }) },
    monotonicMs: () => 1_000,
  });
  const token = verifier.createToken();
  const sealed = (bytes: Buffer): Buffer =>
    publicEncrypt(
      {
        key: createPublicKey({ key: key.publicKey, format: "der", type: "spki" }),
        padding: constants.RSA_PKCS1_PADDING,
      },
      bytes,
    );
  const junk = { kind: "token", encryptedToken: Buffer.alloc(0) } as const;
  for (let n = 0; n < 50; n++)
    expect(verifier.secretOf(Buffer.alloc(0), junk, token)).toBeUndefined();

  const secret = Buffer.alloc(16, 7);
  const answer = { kind: "token", encryptedToken: sealed(token) } as const;
  expect(verifier.secretOf(sealed(secret), answer, token)).toEqual(secret);
  expect(verifier.secretOf(sealed(secret), answer, token)).toBe("busy");
});
