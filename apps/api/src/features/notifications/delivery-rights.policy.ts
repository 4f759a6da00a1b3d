import type { WebhookEventType } from "@palisade/contract/http/notification-events";
import { allows, type RightArea } from "@palisade/contract/http/member-rights";
import type { ShieldGrant } from "#src/platform/http/pipeline/context.ts";

export type DeliveryReader = Pick<ShieldGrant, "role" | "rights">;

/** The area that a member must be able to view to read messages of the kind. */
const areas: Readonly<Record<WebhookEventType, RightArea | "owner">> = {
  "attack.started": "logs",
  "attack.level_relaxed": "logs",
  "attack.ended": "logs",
  "backend.down": "backends",
  "backend.up": "backends",
  "domain.lost": "domains",
  "traffic.warning": "owner",
  "traffic.used_up": "owner",
  "plan.renewed": "owner",
  "plan.renewal_failed": "owner",
  "plan.expired": "owner",
  "member.joined": "history",
  "webhook.test": "notifications",
};

/** A list of deliveries must not show members what their other rights hide from them. */
export function mayReadMessage(kind: WebhookEventType, { role, rights }: DeliveryReader): boolean {
  const area = areas[kind];
  return role === "owner" || (area !== "owner" && allows(rights, area, "view"));
}
