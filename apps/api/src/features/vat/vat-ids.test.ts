import { routes } from "@palisade/contract/http/routes";
import { startStubVies, type StubVies, type ViesFault } from "@palisade/testing/stub-vies";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { profileBody } from "#src/test-support/account-samples.ts";
import { createTestApp, testConfig, type TestApp } from "#src/test-support/test-app.ts";
import {
  listInvoices,
  purchaseBy,
  readInvoice,
  requireWholeDocuments,
  reversePurchase,
  topUpBy,
  untilIssued,
} from "#src/test-support/test-documents.ts";
import { requireWholeLedger } from "#src/test-support/test-money.ts";
import {
  call,
  createUser,
  expectStatus,
  openSession,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { askDueVatIds } from "./vat-ids.job.ts";
import { noteCountry, taxPrice } from "./vat.service.ts";
import { createViesClient } from "./vies-client.ts";

const seller = {
  ...testConfig("").seller,
  country: "DE",
  vatId: "DE123456789",
  chargesVat: true,
};

let testApp: TestApp;
let vies: StubVies;
beforeAll(async () => {
  vies = await startStubVies();
  testApp = await createTestApp({ config: { seller, viesUrl: vies.url } });
});
afterAll(async () => {
  await testApp?.close();
  await vies?.close();
});

let user: TestUser;
beforeEach(async () => {
  user = await createUser(testApp);
  vies.fault = undefined;
  vies.registered = {};
});

async function setProfile(country: string, zip_code: string, vat_id: string | null) {
  const body = { ...profileBody, country, zip_code, vat_id };
  await expectStatus(call(testApp, routes.account.updateProfile, { token: user.token, body }), 200);
}

const ask = () => askDueVatIds({ ...testApp.platform, seller, ask: createViesClient(vies.url) });

async function treatment(): Promise<string> {
  const { db } = testApp.platform;
  const at = testApp.clock.now();
  const { decision, grossCents } = await taxPrice(db, { userId: user.id, netCents: 1_000, at });
  return `${decision.treatment} ${grossCents}`;
}

const isAsked = (vatNumber: string) => vies.asked.filter((each) => each.vatNumber === vatNumber);

describe("a VAT id", () => {
  test("that VIES confirms makes a reverse charge, with the enquiry's number as proof", async () => {
    vies.registered = { ATU11111111: "Beispiel GmbH" };
    await setProfile("AT", "1010", "ATU11111111");
    expect(await treatment()).toBe("destination 1200");
    await ask();
    expect(await treatment()).toBe("reverse_charge 1000");
    expect(isAsked("U11111111")).toEqual([
      {
        countryCode: "AT",
        vatNumber: "U11111111",
        requesterMemberStateCode: "DE",
        requesterNumber: "123456789",
      },
    ]);
    const row = await testApp.platform.db
      .selectFrom("vat_id_checks")
      .selectAll()
      .where("user_id", "=", user.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ is_valid: true, name: "Beispiel GmbH", tries: 0 });
    expect(row.reference).toMatch(/^WAPI/);
  });

  test("from Greece is asked about under EL, and one without prefix as it is", async () => {
    vies.registered = { EL123456782: "" };
    await setProfile("GR", "104 31", "123456782");
    await ask();
    expect(await treatment()).toBe("reverse_charge 1000");
  });

  test("that VIES does not know is a consumer's", async () => {
    await setProfile("AT", "1010", "ATU22222222");
    await ask();
    expect(await treatment()).toBe("destination 1200");
    await ask();
    expect(isAsked("U22222222")).toHaveLength(1);
  });

  test.each(["unavailable", "error", "garbage", "endless"] satisfies ViesFault[])(
    "without an answer (%s) is asked about again, and nothing fails",
    async (fault) => {
      vies.fault = fault;
      vies.registered = { ATU33333333: "" };
      await setProfile("AT", "1010", "ATU33333333");
      const before = isAsked("U33333333").length;
      await ask();
      expect(await treatment()).toBe("destination 1200");
      await ask();
      expect(isAsked("U33333333")).toHaveLength(before + 1);
      vies.fault = undefined;
      testApp.clock.advance(600_000);
      await ask();
      expect(await treatment()).toBe("reverse_charge 1000");
    },
  );

  test("stays confirmed while VIES is away, for 90 days", async () => {
    vies.registered = { ATU44444444: "" };
    await setProfile("AT", "1010", "ATU44444444");
    await ask();
    vies.fault = "unavailable";
    testApp.clock.advance(31 * 86_400_000);
    await ask();
    expect(await treatment()).toBe("reverse_charge 1000");
    testApp.clock.advance(60 * 86_400_000);
    await ask();
    expect(await treatment()).toBe("destination 1200");
  });

  test("that replaces a confirmed one is not confirmed by it", async () => {
    vies.registered = { ATU55555555: "" };
    await setProfile("AT", "1010", "ATU55555555");
    await ask();
    await setProfile("AT", "1010", "ATU66666666");
    expect(await treatment()).toBe("destination 1200");
    vies.fault = "unavailable";
    await ask();
    expect(await treatment()).toBe("destination 1200");
  });

  test("from the seller's country, or from one outside the EU, is not asked about", async () => {
    await setProfile("DE", "10115", "DE999999999");
    await ask();
    await setProfile("CH", "8001", "CHE123456789");
    await ask();
    expect(isAsked("999999999")).toEqual([]);
    expect(await treatment()).toBe("outside 1000");
  });
});

describe("screens are told", () => {
  const stateOf = async () => {
    const answer = await call(testApp, routes.account.getProfile, { token: user.token });
    return routes.account.getProfile.response.parse(answer.json()).profile.vat_id_check;
  };
  const vatOf = async () => {
    const answer = await call(testApp, routes.billing.getPaymentOptions, { token: user.token });
    return routes.billing.getPaymentOptions.response.parse(answer.json()).vat;
  };
  const plusOf = async () => {
    const answer = await call(testApp, routes.plans.listPricingPlans, { token: user.token });
    const { plans } = routes.plans.listPricingPlans.response.parse(answer.json());
    const plus = plans.find(({ name }) => name === "Plus");
    return { rate: plus?.vat_rate, net: plus?.price_cents, total: plus?.total_cents };
  };

  test("the answer of VIES about the profile's VAT id, until it no longer counts", async () => {
    vies.registered = { ATU61111111: "Beispiel GmbH" };
    expect(await stateOf()).toEqual({ state: "not_checked", answered_at: null });
    await setProfile("AT", "1010", "ATU61111111");
    expect(await stateOf()).toEqual({ state: "waiting", answered_at: null });
    const at = testApp.clock.now().toISOString();
    await ask();
    expect(await stateOf()).toEqual({ state: "confirmed", answered_at: at });
    await setProfile("AT", "1010", "ATU62222222");
    expect(await stateOf()).toEqual({ state: "waiting", answered_at: null });
    await ask();
    expect(await stateOf()).toEqual({ state: "refused", answered_at: at });
    await setProfile("AT", "1010", "ATU61111111");
    await ask();
    vies.fault = "unavailable";
    testApp.clock.advance(91 * 86_400_000);
    user = { ...user, token: await openSession(testApp, user) };
    expect(await stateOf()).toEqual({ state: "waiting", answered_at: at });
    await setProfile("DE", "10115", "DE123456788");
    expect(await stateOf()).toEqual({ state: "not_checked", answered_at: null });
  });

  test.each([
    ["DE", "10115", null, "domestic", "19.00", "DE", 1_071],
    ["FI", "00100", null, "destination", "25.50", "FI", 1_130],
    ["US", "10001", null, "outside", "0.00", null, 900],
    ["AT", "1010", "ATU63333333", "reverse_charge", "0.00", null, 900],
  ])(
    "which VAT comes on top of a plan for a buyer in %s with the postcode %s and VAT id %s: %s",
    async (country, postcode, vatId, treatment, rate, of, total) => {
      vies.registered = { ATU63333333: "" };
      await setProfile(country, postcode, vatId);
      await ask();
      expect(await vatOf()).toEqual({ treatment, rate, country: of });
      expect(await plusOf()).toEqual({ rate, net: 900, total });
    },
  );
});

describe("a charge", () => {
  test("takes the net price and the VAT on it, and posts them apart", async () => {
    await setProfile("AT", "1010", null);
    await topUpBy(testApp, user, 1_100);
    await expect(purchaseBy(testApp, user, 1_000)).rejects.toMatchObject({
      code: "insufficient_funds",
    });
    await topUpBy(testApp, user, 100);
    const key = await purchaseBy(testApp, user, 1_000);
    expect(await balanceOf(testApp.platform.db, user.id)).toEqual({ cashCents: 0, bonusCents: 0 });
    const postings = await testApp.platform.db
      .selectFrom("ledger_postings")
      .innerJoin("ledger_txns", "ledger_txns.id", "ledger_postings.txn_id")
      .innerJoin("ledger_accounts", "ledger_accounts.id", "ledger_postings.account_id")
      .select(["ledger_accounts.kind", "ledger_postings.cents"])
      .where("ledger_txns.business_key", "=", key)
      .orderBy("ledger_accounts.kind")
      .execute();
    expect(postings).toEqual([
      { kind: "cash", cents: "-1200" },
      { kind: "revenue", cents: "1000" },
      { kind: "vat_payable", cents: "200" },
    ]);
    await requireWholeLedger(testApp);
  });

  test("has its VAT on the invoice, and a credit note takes it back at the same rate", async () => {
    await setProfile("AT", "1010", null);
    await topUpBy(testApp, user, 1_200);
    const key = await purchaseBy(testApp, user, 1_000);
    await setProfile("FI", "00100", null);
    testApp.clock.advance(1_000);
    await reversePurchase(testApp, user, key, { netCents: 500, taxCents: 100 });
    await untilIssued(testApp);
    const token = await openSession(testApp, user);
    const { data } = await listInvoices(testApp, { token });
    const [note, invoice] = await Promise.all(
      data.slice(0, 2).map(({ id }) => readInvoice(testApp, { token }, id)),
    );
    expect(invoice).toMatchObject({
      net: "10.00",
      tax: "2.00",
      total: "12.00",
      vat: { treatment: "destination", rate: "20.00", country: "AT", note: "VAT of Austria." },
    });
    expect(note).toMatchObject({
      kind: "credit_note",
      net: "-5.00",
      tax: "-1.00",
      total: "-6.00",
      vat: { rate: "20.00", country: "AT" },
      corrects: { number: invoice?.number },
    });
    await requireWholeDocuments(testApp);
    await requireWholeLedger(testApp);
  });

  test("goes by the country that a card named, where the profile has none", async () => {
    const at = testApp.clock.now();
    await testApp.platform.db.transaction().execute(async (trx) => {
      await noteCountry(trx, { userId: user.id, source: "card", country: "AT", at });
      await noteCountry(trx, { userId: user.id, source: "card", country: "FI", at });
      await noteCountry(trx, { userId: user.id, source: "ip", country: "unknown", at });
    });
    expect(await treatment()).toBe("destination 1255");
  });
});
