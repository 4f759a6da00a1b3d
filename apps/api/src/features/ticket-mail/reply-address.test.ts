import { expect, test } from "vitest";
import { createReplyAddresses, type SignedTicket } from "./reply-address.ts";

const secrets = { secret: "a secret that is long enough for this", formerSecrets: [] };
const ticket: SignedTicket = {
  id: "01890000-0000-7000-8000-000000000001",
  number: 1001,
  userId: "u1",
};
const addresses = createReplyAddresses("Support@Example.com", secrets);

test("a ticket's address is signed for this ticket, owner and installation alone", () => {
  const address = addresses.of(ticket);
  expect(address).toMatch(/^support\+1001\.[a-z2-7]{16}@example\.com$/);
  expect(addresses.numberIn(address)).toBe(1001);
  expect(addresses.isSigned(address, ticket)).toBe(true);
  // Some programs write addresses in capitals.
  expect(addresses.isSigned(address.toUpperCase(), ticket)).toBe(true);
  for (const other of [
    { ...ticket, number: 1002 },
    { ...ticket, id: "01890000-0000-7000-8000-000000000002" },
    { ...ticket, userId: "u2" },
  ]) {
    expect(addresses.isSigned(address, other)).toBe(false);
  }
  const elsewhere = createReplyAddresses("support@example.com", {
    ...secrets,
    secret: "x".repeat(40),
  });
  expect(elsewhere.isSigned(address, ticket)).toBe(false);
});

test("addresses from before the secret was rotated stay valid", () => {
  const rotated = createReplyAddresses("support@example.com", {
    secret: "the next secret, which is long enough",
    formerSecrets: [secrets.secret],
  });
  expect(rotated.of(ticket)).not.toBe(addresses.of(ticket));
  expect(rotated.isSigned(addresses.of(ticket), ticket)).toBe(true);
});

test.each([
  "support@example.com",
  "support+1001@example.com",
  "support+1001.@example.com",
  "support+1001.aaaaaaaaaaaaaaaa@example.org",
  "support+1001.aaaaaaaaaaaaaaaa@evil.example.com",
  "support+1001.aaaaaaaaaaaaaaaaa@example.com",
  "xsupport+1001.aaaaaaaaaaaaaaaa@example.com",
  "support+1001.aaaaaaaaaaaaaaa\u0000@example.com",
  "support+99999999999999999999.aaaaaaaaaaaaaaaa@example.com",
  "",
  "@",
])("%j is the address of no ticket", (address) => {
  expect(addresses.numberIn(address)).toBeNull();
  expect(addresses.isSigned(address, ticket)).toBe(false);
});
