import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { WebhookEventType } from "@palisade/contract/http/notification-events";
import type { WebhookDelivery, WebhookFormat } from "@palisade/contract/http/webhooks";

export const eventLabels: Record<WebhookEventType, MessageDescriptor> = {
  "attack.started": msg`Attack started`,
  "attack.level_relaxed": msg`AntiBot relaxed during an attack`,
  "attack.ended": msg`Attack ended`,
  "backend.down": msg`Server down`,
  "backend.up": msg`Server back`,
  "domain.lost": msg`Domain lost`,
  "traffic.warning": msg`80 % of the traffic used`,
  "traffic.used_up": msg`All of the traffic used`,
  "plan.renewed": msg`Plan renewed`,
  "plan.renewal_failed": msg`Renewal failed`,
  "plan.expired": msg`Plan expired`,
  "member.joined": msg`New sub-user`,
  "webhook.test": msg`Test message`,
};

export const formatLabels: Record<WebhookFormat, string> = {
  json: "JSON",
  discord: "Discord",
  slack: "Slack",
  telegram: "Telegram",
};

export const urlPlaceholders: Record<WebhookFormat, string> = {
  json: "https://example.com/palisade",
  discord: "https://discord.com/api/webhooks/…",
  slack: "https://hooks.slack.com/services/…",
  telegram: "https://api.telegram.org/bot…/sendMessage?chat_id=…",
};

export const stateLabels: Record<WebhookDelivery["state"], MessageDescriptor> = {
  pending: msg`Waiting`,
  delivered: msg`Delivered`,
  failed: msg`Not delivered`,
  superseded: msg`Replaced`,
};

export const failureLabels: Record<NonNullable<WebhookDelivery["error"]>, MessageDescriptor> = {
  timeout: msg`No answer within 10 seconds`,
  refused_address: msg`The address is not public`,
  network: msg`The connection failed`,
  unreadable: msg`The stored address cannot be read. Add the webhook again`,
};
