import { expect, test } from "vitest";
import { documentKindOf } from "./document-kind.ts";

const user = { userId: "u" };
const kinds = [
  [
    "a top-up",
    [
      { kind: "cash", ...user, cents: 5 },
      { kind: "stripe_clearing", cents: -5 },
    ],
    "receipt",
  ],
  [
    "a refund to the provider",
    [
      { kind: "cash", ...user, cents: -5 },
      { kind: "paypal_clearing", cents: 5 },
    ],
    "credit_note",
  ],
  [
    "a purchase from cash and bonus",
    [
      { kind: "cash", ...user, cents: -3 },
      { kind: "bonus", ...user, cents: -2 },
      { kind: "revenue", cents: 5 },
    ],
    "invoice",
  ],
  [
    "a purchase with VAT",
    [
      { kind: "cash", ...user, cents: -6 },
      { kind: "revenue", cents: 5 },
      { kind: "vat_payable", cents: 1 },
    ],
    "invoice",
  ],
  [
    "a purchase that is taken back",
    [
      { kind: "cash", ...user, cents: 5 },
      { kind: "revenue", cents: -5 },
    ],
    "credit_note",
  ],
  [
    "a bonus",
    [
      { kind: "bonus", ...user, cents: 5 },
      { kind: "promo_expense", cents: -5 },
    ],
    null,
  ],
  [
    "a correction by staff",
    [
      { kind: "cash", ...user, cents: 5 },
      { kind: "adjustments", cents: -5 },
    ],
    null,
  ],
  [
    "a movement between two users",
    [
      { kind: "cash", ...user, cents: 5 },
      { kind: "cash", userId: "v", cents: -5 },
    ],
    null,
  ],
  [
    "a movement between own accounts",
    [
      { kind: "revenue", cents: 5 },
      { kind: "adjustments", cents: -5 },
    ],
    null,
  ],
] as const;

test.each(kinds)("%s needs the right document or none", (_what, postings, kind) => {
  expect(documentKindOf(postings)).toBe(kind);
});
