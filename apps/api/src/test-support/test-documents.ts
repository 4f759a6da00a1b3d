import { routes } from "@palisade/contract/http/routes";
import type { InvoiceDetail } from "@palisade/contract/http/invoices";
import { issueDocuments } from "#src/features/documents/document-issuer.ts";
import { verifyDocuments } from "#src/features/documents/documents-check.service.ts";
import { charge, credit, post } from "#src/features/ledger/ledger.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { until } from "@palisade/testing/until";
import type { TestApp } from "./test-app.ts";
import { call, expectStatus, type CallOptions, type TestUser } from "./test-users.ts";

/** Money from a provider, as a settled top-up brings it. @returns its business key */
export async function topUpBy(
  testApp: TestApp,
  user: Pick<TestUser, "id">,
  cents: number,
  from: "stripe_clearing" | "paypal_clearing" = "stripe_clearing",
): Promise<string> {
  const businessKey = `top-up:${newId()}`;
  await testApp.platform.db.transaction().execute((trx) =>
    credit(trx, {
      kind: "top_up",
      from,
      to: "cash",
      userId: user.id,
      cents,
      businessKey,
      at: testApp.clock.now(),
    }),
  );
  return businessKey;
}

/** A purchase at a net price. @returns its business key */
export async function purchaseBy(
  testApp: TestApp,
  user: Pick<TestUser, "id">,
  cents: number,
): Promise<string> {
  const businessKey = `purchase:${newId()}`;
  await testApp.platform.db
    .transaction()
    .execute((trx) =>
      charge(trx, { userId: user.id, cents, businessKey, at: testApp.clock.now() }),
    );
  return businessKey;
}

/** Takes a purchase back into the balance. */
export async function reversePurchase(
  testApp: TestApp,
  user: Pick<TestUser, "id">,
  corrects: string,
  { netCents, taxCents = 0 }: { readonly netCents: number; readonly taxCents?: number },
): Promise<void> {
  await testApp.platform.db.transaction().execute((trx) =>
    post(trx, {
      kind: "refund",
      businessKey: `reversal:${corrects}`,
      corrects,
      at: testApp.clock.now(),
      postings: [
        { kind: "cash" as const, userId: user.id, cents: netCents + taxCents },
        { kind: "revenue" as const, cents: -netCents },
        { kind: "vat_payable" as const, cents: -taxCents },
      ].filter(({ cents }) => cents !== 0),
    }),
  );
}

/** Waits until nothing is due, and helps with it. */
export async function untilIssued(testApp: TestApp): Promise<void> {
  await until(async () => {
    await issueDocuments(testApp.platform);
    const waiting = await testApp.platform.db
      .selectFrom("documents_due")
      .select("txn_id")
      .limit(1)
      .executeTakeFirst();
    return waiting === undefined;
  });
}

/** @throws with every break */
export async function requireWholeDocuments(testApp: TestApp): Promise<void> {
  const breaks = await verifyDocuments(testApp.platform.db, testApp.clock.now());
  if (breaks.length > 0) throw new Error(breaks.join("\n"));
}

export async function listInvoices(
  testApp: TestApp,
  user: Pick<TestUser, "token">,
  query: Readonly<Record<string, string>> = {},
  options: Omit<CallOptions, "query"> = {},
) {
  const answer = await expectStatus(
    call(testApp, routes.invoices.listInvoices, { token: user.token, query, ...options }),
    200,
  );
  return routes.invoices.listInvoices.response.parse(answer.json());
}

export async function readInvoice(
  testApp: TestApp,
  user: Pick<TestUser, "token">,
  id: string,
  language = "en",
): Promise<InvoiceDetail> {
  const answer = await expectStatus(
    call(testApp, routes.invoices.getInvoice, {
      token: user.token,
      params: { id },
      headers: { "accept-language": language },
    }),
    200,
  );
  return routes.invoices.getInvoice.response.parse(answer.json()).invoice;
}
