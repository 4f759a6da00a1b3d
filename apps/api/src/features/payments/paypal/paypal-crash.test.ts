import { createClient } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { createFakeClock } from "@palisade/testing/fake-clock";
import { startPaypalServer, type PaypalServer } from "@palisade/testing/paypal-server";
import { createTemporaryFolder, type TemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { verifyBooks } from "#src/features/ledger/ledger-check.service.ts";
import { createDb, type Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { startApiProcess, type ApiProcess } from "#src/test-support/api-process.ts";
import { createMigratedDatabase, createTestApp } from "#src/test-support/test-app.ts";
import { createUser, type TestUser } from "#src/test-support/test-users.ts";

let home: TemporaryFolder;
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let db: Db;
let paypal: PaypalServer;
let user: TestUser;
let healthy: ApiProcess;
const children: ApiProcess[] = [];

/** An api as a process of its own, which dies at a step as by kill -9. */
async function startApi(failpoint?: string): Promise<ApiProcess> {
  const api = await startApiProcess(
    {
      PALISADE_HOME: home.path,
      DATABASE_URL: database.runtimeUrl,
      PALISADE_PAYPAL_CLIENT_ID: paypal.clientId,
      PALISADE_PAYPAL_SECRET: paypal.secret,
      PALISADE_PAYPAL_MERCHANT_ID: paypal.merchantId,
      PALISADE_PAYPAL_WEBHOOK_ID: paypal.webhookId,
      PALISADE_PAYPAL_API_URL: paypal.url,
    },
    failpoint === undefined ? [] : [failpoint],
  );
  children.push(api);
  return api;
}

beforeAll(async () => {
  home = await createTemporaryFolder("paypal");
  database = await createMigratedDatabase();
  paypal = await startPaypalServer();
  const url = database.runtimeUrl;
  db = createDb({
    url,
    connectionsMax: 2,
    statementTimeoutMs: 10_000,
    onConnectionError: () => undefined,
  });
  // Only to register: its jobs know no PayPal, so it is closed before the first payment.
  const testApp = await createTestApp({ database, clock: createFakeClock(new Date()) });
  user = await createUser(testApp);
  await testApp.close();
  healthy = await startApi();
});
afterAll(async () => {
  for (const { kill, exited } of children) {
    kill();
    await exited;
  }
  await paypal?.close();
  await db?.destroy();
  await database?.drop();
  await home?.remove();
});

const clientOf = ({ url }: ApiProcess) =>
  createClient({ baseUrl: url, headers: () => ({ authorization: `Bearer ${user.token}` }) });

/**
 * The answer of the first api that gives one: the failing one may die before. An api that is short of
 * time refuses a call for the moment, so it is made again.
 */
async function inSpiteOf<T>(
  apis: readonly ApiProcess[],
  work: (api: ApiProcess) => Promise<T>,
): Promise<T> {
  const answers: T[] = [];
  for (const api of apis) {
    const ask = async (): Promise<boolean> => {
      answers.push(
        ...(await work(api).then(
          (answer) => [answer],
          () => [],
        )),
      );
      return answers.length > 0 || api.hasDied();
    };
    await until(ask, { what: "an answer", capMs: 60_000 });
    const [answer] = answers;
    if (answer !== undefined) return answer;
  }
  throw new Error("No api has answered");
}

describe("an api that dies", () => {
  test.each([
    "intent-stored",
    "checkout-created",
    "reference-stored",
    "event-stored",
    "credit-posted",
  ])(
    "at %s neither loses nor doubles a top-up: one order, one capture, one credit",
    async (step) => {
      const before = (await balanceOf(db, user.id)).cashCents;
      const failing = await startApi(step);
      const apis = [failing, healthy];
      paypal.webhooks.hold();
      const headers = { "idempotency-key": newId() };
      const body = { amount: 5, payment_method: "paypal" } as const;
      const { approval_url: url, intent } = await inSpiteOf(apis, async (api) => {
        const { data } = await clientOf(api)(routes.billing.createPaypalOrder, { body, headers });
        return data;
      });
      const orderId = new URL(url).searchParams.get("token") ?? "";
      await fetch(url, { method: "POST", body: new URLSearchParams({ action: "approve" }) }).catch(
        // The page sends the browser to the api that has died.
        () => undefined,
      );
      expect(paypal.orders.find(orderId).status).toBe("APPROVED");
      const approved = paypal.webhooks.events.at(-1);
      if (approved === undefined) throw new Error("PayPal sent no event");
      // The return page, which may be opened at the api that dies of it.
      await inSpiteOf(apis, (api) =>
        clientOf(api)(routes.billing.confirmIntent, { params: { id: intent.id }, body: undefined }),
      );
      // PayPal repeats an event that was not answered.
      await inSpiteOf(apis, async (api) => {
        const { body: bytes, headers: signed } = paypal.webhooks.deliveryOf(approved);
        const target = `${api.url}/api/v1/webhooks/paypal`;
        const answer = await fetch(target, { method: "POST", headers: signed, body: bytes });
        if (answer.status !== 200) throw new Error(`The event was answered with ${answer.status}`);
        return answer.status;
      });
      await until(async () => (await balanceOf(db, user.id)).cashCents === before + 500, {
        what: "the credit",
        capMs: 60_000,
      });
      const ofIntent = paypal.orders.all().filter(({ customId }) => customId === intent.id);
      expect(ofIntent.map(({ id, capture }) => [id, capture?.status])).toEqual([
        [orderId, "COMPLETED"],
      ]);
      expect((await verifyBooks(db)).breaks).toEqual([]);
      await until(() => failing.hasDied(), { what: `the death at ${step}` });
      await paypal.webhooks.release();
      await paypal.webhooks.settled();
    },
    120_000,
  );
});
