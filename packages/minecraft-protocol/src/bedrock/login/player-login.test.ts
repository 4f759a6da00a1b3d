import fc from "fast-check";
import { expect, test } from "vitest";
import { readPlayerLogin } from "./player-login.ts";

const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");
const value = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String),
);
const extraData = fc.record(
  { displayName: value, XUID: value, identity: value },
  { requiredKeys: [] },
);
const claims = fc.oneof(
  fc.record({ extraData: fc.oneof(extraData, value) }, { requiredKeys: [] }),
  fc.record({ xname: value, xid: value, identity: value }, { requiredKeys: [] }),
);
const token = fc.oneof(
  claims.map((each) => `${encoded({ alg: "ES384" })}.${encoded(each)}.AAAA`),
  fc.string(),
  fc.array(fc.base64String(), { maxLength: 5 }).map((parts) => parts.join(".")),
);
const chain = fc.oneof(fc.array(token, { maxLength: 6 }), value);
const identity = fc.oneof(
  fc.record({ chain, Token: token }, { requiredKeys: [] }).map((each) => JSON.stringify(each)),
  fc
    .record({ Certificate: chain.map((each) => JSON.stringify({ chain: each })), Token: token })
    .map((each) => JSON.stringify(each)),
  fc.json(),
  fc.string(),
);

test("no login makes the reader throw, and what it finds of a player is bounded", () => {
  let found = 0;
  fc.assert(
    fc.property(fc.nat(), identity, (protocol, text) => {
      const login = readPlayerLogin({ protocol, identity: text });
      if (login === undefined) return;
      found += 1;
      expect(login.displayName.length).toBeGreaterThan(0);
      expect(login.displayName.length).toBeLessThanOrEqual(64);
      expect(login.xuid).toMatch(/^\d{0,20}$/);
      expect(login.identity.length).toBeLessThanOrEqual(36);
      expect(login.chain.length).toBeLessThanOrEqual(4);
    }),
    { numRuns: 2_000 },
  );
  expect(found).toBeGreaterThan(0);
});
