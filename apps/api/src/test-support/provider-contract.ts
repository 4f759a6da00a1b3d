import { topUpReturnPath } from "@palisade/contract/console-paths";
import { expect, test } from "vitest";
import type { CheckoutOrder, PaymentProvider } from "#src/features/payments/payment-provider.ts";
import { newId } from "#src/platform/database/ids.ts";

/** A provider under test, its clock, and its payer. */
export interface ProviderFixture {
  provider(): PaymentProvider;
  now(): Date;
  advance(ms: number): void;
  /** The payer tries to pay; the provider may refuse. */
  pay(reference: string): Promise<void>;
  /** The payer opens the page. The returned function sends its form. */
  prepare(reference: string): Promise<() => Promise<void>>;
}

const lifeMs = 45 * 60_000;

/** Tests what every payment provider must do, the sandbox included (see PaymentProvider). */
export function testProviderContract(world: ProviderFixture): void {
  const order = (): CheckoutOrder => {
    const intentId = newId();
    return {
      intentId,
      paymentMethod: "stripe",
      amountCents: 2_000,
      currency: "EUR",
      expiresAt: new Date(world.now().getTime() + lifeMs),
      successPath: topUpReturnPath(intentId, "paid"),
      cancelPath: topUpReturnPath(intentId, "cancelled"),
    };
  };
  const create = (each: CheckoutOrder) =>
    world.provider().createCheckout(each, AbortSignal.timeout(30_000));
  const begin = async () => {
    const ordered = order();
    const { reference } = await create(ordered);
    return { ordered, reference, expiresAt: ordered.expiresAt };
  };

  test("repeated and concurrent calls for one order return one checkout", async () => {
    const ordered = order();
    const checkouts = await Promise.all(Array.from({ length: 5 }, () => create(ordered)));
    expect(
      new Set([...checkouts, await create(ordered)].map(({ reference }) => reference)).size,
    ).toBe(1);
    expect(new Set(checkouts.map(({ url }) => url)).size).toBe(1);
    expect((await create(order())).reference).not.toBe(checkouts[0]?.reference);
  });

  test("the record names the intent, amount, currency and account of the order", async () => {
    const { ordered, ...checkout } = await begin();
    const record = await world.provider().readRecord(checkout);
    expect(record).toEqual({
      status: "open",
      intentId: ordered.intentId,
      amountCents: 2_000,
      currency: "EUR",
      account: world.provider().account,
    });
    await world.pay(checkout.reference);
    expect(await world.provider().readRecord(checkout)).toMatchObject({
      ...record,
      status: "paid",
    });
    expect(await world.provider().readRecord({ ...checkout, reference: "unknown" })).toBeNull();
  });

  test("a payment just before expiry counts and stays paid", async () => {
    const { reference, expiresAt } = await begin();
    world.advance(lifeMs - 1_000);
    await world.pay(reference);
    world.advance(3_600_000);
    const record = await world.provider().readRecord({ reference, expiresAt });
    expect(record?.status).toBe("paid");
  });

  test("after expiry no payment is taken, neither from a page left open nor by reading the record", async () => {
    const { reference, expiresAt } = await begin();
    const finish = await world.prepare(reference);
    world.advance(lifeMs);
    await finish();
    for (let reading = 0; reading < 2; reading += 1) {
      const record = await world.provider().readRecord({ reference, expiresAt });
      expect(record?.status).toBe("expired");
    }
  });
}
