import { credit } from "#src/features/ledger/ledger.service.ts";
import { verifyBooks, verifyLedger } from "#src/features/ledger/ledger-check.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { TestApp } from "./test-app.ts";

/** Credits a user as an operator does: from adjustments into cash, or into bonus. */
export function giveMoney(
  testApp: TestApp,
  user: { readonly id: string },
  cents: number,
  to: "cash" | "bonus" = "cash",
  businessKey = `test:${newId()}`,
) {
  return testApp.platform.db.transaction().execute((trx) =>
    credit(trx, {
      kind: "adjustment",
      from: "adjustments",
      to,
      userId: user.id,
      cents,
      businessKey,
      at: testApp.clock.now(),
    }),
  );
}

/** Checks the ledger itself, also where a test made up what money is for. @throws with every break */
export async function requireWholeLedger(testApp: TestApp): Promise<void> {
  const { breaks } = await verifyLedger(testApp.platform.db);
  if (breaks.length > 0) throw new Error(breaks.join("\n"));
}

/** Runs the check of `ledger verify` after a test of money. @throws with every break */
export async function requireWholeBooks(testApp: TestApp): Promise<void> {
  const { breaks } = await verifyBooks(testApp.platform.db);
  if (breaks.length > 0) throw new Error(breaks.join("\n"));
}
