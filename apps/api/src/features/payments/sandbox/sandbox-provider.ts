import { randomBytes } from "node:crypto";
import { z } from "zod";
import { readCents } from "#src/features/ledger/money.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import { EventRefused, type PaymentProvider } from "../payment-provider.ts";
import { stateOf } from "./sandbox.policy.ts";
import { insertCheckout, selectCheckout } from "./sandbox.repository.ts";
import { verifyWebhook } from "./signed-webhooks.ts";

export const sandboxAccount = "sandbox";
export const sandboxPath = "/sandbox/checkout";

/** An event of the sandbox. Its receiver uses only the reference. */
export const sandboxEvent = z.object({
  type: z.enum(["checkout.completed", "checkout.cancelled"]),
  data: z.object({ reference: z.string().regex(/^[\w-]{1,200}$/) }),
});

export interface SandboxDeps {
  /** It has its own connections, like another company: when the sandbox is slow, the api is not. */
  readonly db: Db;
  readonly clock: Clock;
  readonly webhookKey: Buffer;
}

/** A payment provider for development, with checkouts but without money. */
export function createSandboxProvider({ db, clock, webhookKey }: SandboxDeps): PaymentProvider {
  return {
    name: "sandbox",
    account: sandboxAccount,
    async createCheckout(order) {
      const reference = await insertCheckout(db, {
        reference: randomBytes(24).toString("base64url"),
        order_id: order.intentId,
        payment_method: order.paymentMethod,
        amount_cents: order.amountCents,
        currency: order.currency,
        account: sandboxAccount,
        status: "open",
        success_path: order.successPath,
        cancel_path: order.cancelPath,
        created_at: clock.now(),
        expires_at: order.expiresAt,
      });
      return { reference, url: `${sandboxPath}/${reference}` };
    },
    async readRecord({ reference }) {
      const row = await selectCheckout(db, reference);
      if (row === undefined) return null;
      return {
        status: stateOf(row, clock.now()),
        intentId: row.order_id,
        amountCents: readCents(row.amount_cents),
        currency: row.currency,
        account: row.account,
      };
    },
    async readEvent({ body, header, now }) {
      const eventId = verifyWebhook(webhookKey, header, body, now);
      if (eventId === null) throw new EventRefused("signature or time stamp");
      const event = sandboxEvent.safeParse(parseJson(body));
      if (!event.success) throw new EventRefused("not an event of the sandbox");
      return { eventId, type: event.data.type, reference: event.data.data.reference };
    },
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
