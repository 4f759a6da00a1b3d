import { newId } from "#src/platform/database/ids.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createSealer } from "#src/platform/security/sealing.ts";
import type { RouteSample } from "./route-sample.ts";
import type { TestApp } from "./test-app.ts";

/** A webhook on this machine, where nothing answers. */
export async function addTestWebhook(
  { platform, clock }: TestApp,
  shieldId: string,
  given: {
    readonly url?: string;
    readonly format?: "json" | "discord" | "slack" | "telegram";
    readonly secret?: string;
  } = {},
): Promise<string> {
  const { url = "http://127.0.0.1:9/hook", format = "json", secret } = given;
  const id = newId();
  const sealer = createSealer(deriveKeys(platform.config, "webhooks"));
  await platform.db.deleteFrom("shield_webhooks").where("shield_id", "=", shieldId).execute();
  await platform.db
    .insertInto("shield_webhooks")
    .values({
      id,
      shield_id: shieldId,
      format,
      sealed_url: sealer.seal(url, id),
      host: new URL(url).host,
      hint: "masked",
      sealed_secret: sealer.seal(secret ?? "whsec_c2VjcmV0IG9mIGEgdGVzdA==", id),
      events: ["attack.started", "attack.level_relaxed", "attack.ended"],
      created_at: clock.now(),
    })
    .execute();
  return id;
}

const ofWebhook: RouteSample = async ({ testApp, shieldId }) => ({
  params: { id: shieldId, webhookId: await addTestWebhook(testApp, shieldId) },
});

const ofDelivery: RouteSample = async ({ testApp, shieldId }) => {
  const webhookId = await addTestWebhook(testApp, shieldId);
  const id = newId();
  await testApp.platform.db
    .insertInto("webhook_deliveries")
    .values({
      id,
      webhook_id: webhookId,
      kind: "attack.started",
      thread: null,
      body: "{}",
      state: "failed",
      next_at: null,
      created_at: testApp.clock.now(),
    })
    .execute();
  return { params: { id: shieldId, webhookId, deliveryId: id } };
};

/** Samples of the routes about notifications. */
export const notificationSamples = {
  "notifications.get": ({ shieldId }) => ({ params: { id: shieldId } }),
  "notifications.update": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { email_notifications: true },
  }),
  "webhooks.list": ({ shieldId }) => ({ params: { id: shieldId } }),
  async "webhooks.add"({ testApp, shieldId }) {
    // A shield has ten at most.
    await addTestWebhook(testApp, shieldId);
    return { params: { id: shieldId }, body: { url: "https://hooks.example.com/palisade" } };
  },
  async "webhooks.update"(world, token) {
    return { ...(await ofWebhook(world, token)), body: { enabled: true } };
  },
  "webhooks.remove": ofWebhook,
  "webhooks.rotateSecret": ofWebhook,
  "webhooks.test": ofWebhook,
  "webhooks.deliveries": ofWebhook,
  "webhooks.redeliver": ofDelivery,
} satisfies Record<string, RouteSample>;
