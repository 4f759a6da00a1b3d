import { exampleEventData } from "../http/notification-events.ts";

const request = JSON.stringify({
  type: "attack.started",
  timestamp: "2026-11-01T12:00:00.000Z",
  data: exampleEventData["attack.started"],
});

/** Values of the examples about notifications and webhooks. */
export const notificationExamples: Readonly<Record<string, unknown>> = {
  email_notifications: true,
  webhook_notifications: true,
  attack_started_msg: "{server} is under attack: {peak} logins per second.",
  attack_stopped_msg: "The attack on {server} is over after {duration}.",
  mail_events: ["attack.started", "attack.ended", "backend.down"],
  "QuietHours.from": "23:00",
  "QuietHours.until": "07:00",
  time_zone: "Europe/Berlin",
  webhookId: "0199a3f2-7c10-7000-8000-5f1a2b3c4d33",
  deliveryId: "0199a3f2-7c10-7000-8000-5f1a2b3c4d34",
  "webhooks.add:url": "https://hooks.example.com/palisade",
  "WebhookCreate.url": "https://hooks.example.com/palisade",
  "Webhook.url": "https://hooks.example.com/…",
  "WebhookCreate.events": ["attack.started", "attack.ended"],
  "WebhookUpdate.events": ["attack.started", "attack.ended"],
  "Webhook.events": ["attack.started", "attack.ended"],
  "Webhook.enabled": true,
  "WebhookUpdate.enabled": true,
  disabled_reason: null,
  failing_since: null,
  former_secret_until: null,
  "webhooks.add:secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1wYr0nJ7c5E=",
  "webhooks.rotateSecret:secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1wYr0nJ7c5E=",
  "WebhookDelivery.type": "attack.started",
  "WebhookDelivery.state": "delivered",
  "WebhookDelivery.attempts": 1,
  last_attempt_at: "2026-11-01T12:00:00.000Z",
  next_attempt_at: null,
  "WebhookDelivery.request": request,
  "WebhookDelivery.status": 200,
  "WebhookDelivery.answer": "ok",
  "WebhookDelivery.error": null,
  "WebhookDelivery.latency_ms": 84,
};
