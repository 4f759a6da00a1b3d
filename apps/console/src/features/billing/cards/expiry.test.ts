import { expect, test } from "vitest";
import { brandName } from "./brands.ts";
import { expiresSoon, expiryText } from "./expiry.ts";

const card = {
  id: "0199a3f2-7c10-7000-8000-5f1a2b3c4d5e",
  brand: "visa",
  last4: "4242",
  exp_month: 2,
  exp_year: 2031,
  is_expired: false,
  is_default: true,
  created_at: "2026-11-01T12:00:00.000Z",
};

test.each([
  ["2031-01-29T23:59:59Z", false],
  ["2031-01-30T00:00:00Z", true],
  ["2031-02-28T23:59:59Z", true],
])("at %s a card of 02/2031 expires soon: %s", (now, isSoon) =>
  expect(expiresSoon(card, new Date(now))).toBe(isSoon),
);

test("a card that has expired does not expire soon", () => {
  const now = new Date("2031-03-01T00:00:00Z");
  expect(expiresSoon({ ...card, is_expired: true }, now)).toBe(false);
});

test("the expiry is written as on the card", () => expect(expiryText(card)).toBe("02/2031"));

test.each([
  ["amex", "American Express"],
  ["newbrand", "newbrand"],
  ["unknown", null],
  ["", null],
])("the brand %j is shown as %j", (brand, name) => expect(brandName(brand)).toBe(name));
