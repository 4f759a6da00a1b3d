import { newId } from "#src/platform/ids.ts";
import { deriveKey } from "#src/platform/derived-key.ts";
import { signWebhook } from "#src/features/payments/sandbox/signed-webhooks.ts";
import type { TestApp } from "./test-app.ts";
import type { CallOptions } from "./test-users.ts";

let serial = 0;

/** A promo code of its own, valid from now on. */
export async function addPromoCode(
  testApp: TestApp,
  code: {
    readonly percentage: number;
    readonly totalMax?: number;
    readonly perUserMax?: number;
    readonly startsAt?: Date;
    readonly endsAt?: Date;
  },
): Promise<string> {
  const now = testApp.clock.now();
  const name = `TEST-${++serial}`;
  await testApp.platform.db
    .insertInto("promo_codes")
    .values({
      id: newId(),
      code: name,
      percentage: code.percentage,
      starts_at: code.startsAt ?? now,
      ends_at: code.endsAt ?? null,
      per_user_max: code.perUserMax ?? null,
      total_max: code.totalMax ?? null,
      created_at: now,
    })
    .execute();
  return name;
}

/** A delivery as the sandbox signs it. */
export function sandboxDelivery(
  testApp: TestApp,
  event: object,
  { id = newId(), at = testApp.clock.now() } = {},
): Required<Pick<CallOptions, "body" | "headers">> {
  const body = JSON.stringify(event);
  const key = deriveKey(testApp.platform.config.secret, "sandbox-webhooks");
  return {
    body,
    headers: { "content-type": "application/json", ...signWebhook(key, id, Buffer.from(body), at) },
  };
}
