import type { Digest } from "@palisade/contract/http/notifications";
import type {
  MailEvent,
  NotificationEvent,
  WebhookEventType,
} from "@palisade/contract/http/notification-events";
import type { Webhook, WebhookDelivery, WebhookFormat } from "@palisade/contract/http/webhooks";
import type { JSONColumnType } from "kysely";
import type { BigIntText, Generated } from "./columns.ts";

interface ShieldNotificationsTable {
  shield_id: string;
  email_notifications: Generated<boolean>;
  webhook_notifications: Generated<boolean>;
  attack_started_msg: Generated<string>;
  attack_stopped_msg: Generated<string>;
  mail_events: MailEvent[];
  digest: Generated<Digest>;
  quiet_from: Generated<number | null>;
  quiet_until: Generated<number | null>;
  time_zone: Generated<string>;
  version: Generated<number>;
}

interface ShieldWebhooksTable {
  id: string;
  /** Null: the operator's, for staff. */
  shield_id: string | null;
  format: WebhookFormat;
  sealed_url: string;
  host: string;
  hint: string;
  sealed_secret: string | null;
  sealed_former_secret: Generated<string | null>;
  former_secret_until: Generated<Date | null>;
  events: NotificationEvent[];
  enabled: Generated<boolean>;
  disabled_reason: Generated<Webhook["disabled_reason"]>;
  failing_since: Generated<Date | null>;
  created_at: Date;
}

interface NotificationEventsTable {
  id: string;
  seq: Generated<BigIntText>;
  shield_id: string;
  kind: NotificationEvent;
  thread: string | null;
  at: Date;
  data: JSONColumnType<Record<string, unknown>>;
  created_at: Generated<Date>;
  spread_at: Generated<Date | null>;
  mail_due_at: Generated<Date | null>;
  mailed_at: Generated<Date | null>;
}

interface WebhookDeliveriesTable {
  id: string;
  seq: Generated<BigIntText>;
  webhook_id: string;
  kind: WebhookEventType;
  thread: string | null;
  body: string;
  state: Generated<WebhookDelivery["state"]>;
  attempts: Generated<number>;
  next_at: Date | null;
  leased_until: Generated<Date | null>;
  created_at: Date;
  last_at: Generated<Date | null>;
  status: Generated<number | null>;
  answer: Generated<string>;
  error: Generated<WebhookDelivery["error"]>;
  latency_ms: Generated<number | null>;
  message_ref: Generated<string | null>;
}

interface BackendWatchesTable {
  backend_id: string;
  is_down: boolean;
  differs_since: Date | null;
  changed_at: Date;
}

interface CertificateWatchesTable {
  domain: string;
  told: "valid" | "failing" | "expiring";
  seen: "valid" | "failing" | "expiring";
  seen_since: Date;
}

interface EdgeWatchesTable {
  edge_id: string;
  is_lost: boolean;
  missed_at: Date | null;
  changed_at: Date;
}

export interface NotificationsTables {
  shield_notifications: ShieldNotificationsTable;
  shield_webhooks: ShieldWebhooksTable;
  notification_events: NotificationEventsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  backend_watches: BackendWatchesTable;
  bedrock_watches: BackendWatchesTable;
  edge_watches: EdgeWatchesTable;
  certificate_watches: CertificateWatchesTable;
}
