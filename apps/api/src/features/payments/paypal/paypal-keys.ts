import type { Logger } from "pino";
import { StartError } from "#src/platform/database/ready.ts";
import { PaypalKeysRefused, type PaypalClient } from "./paypal-client.ts";

/** Rights of the app at PayPal beyond taking payments, and what is missing without them. */
const wantedRights = {
  "https://uri.paypal.com/services/reporting/search/read": "the daily comparison with the ledger",
  "https://uri.paypal.com/services/disputes/read-seller": "disputes",
} as const;

/**
 * Asks PayPal whether the keys are right. While PayPal does not answer, the api starts,
 * because most of it does not need PayPal.
 *
 * @throws StartError if PayPal refuses the keys
 */
export async function checkPaypalKeys(client: PaypalClient, log: Logger): Promise<void> {
  try {
    const rights = await client.readRights();
    for (const [right, what] of Object.entries(wantedRights)) {
      if (!rights.has(right)) {
        log.warn({ right }, `PayPal: the app of these keys may not read ${what}`);
      }
    }
  } catch (error) {
    if (error instanceof PaypalKeysRefused) throw new StartError(error.message, { cause: error });
    log.warn({ err: error }, "PayPal did not answer at the start; its keys were not checked");
  }
}
