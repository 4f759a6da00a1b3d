import type { AccountsTables } from "./accounts.ts";
import type { AnnouncementsTables } from "./announcements.ts";
import type { AttacksTables } from "./attacks.ts";
import type { AuditTables } from "./audit.ts";
import type { BedrockTables } from "./bedrock.ts";
import type { BooksTables } from "./books.ts";
import type { CertificatesTables } from "./certificates.ts";
import type { DocumentsTables } from "./documents.ts";
import type { DomainsTables } from "./domains.ts";
import type { EdgesTables } from "./edges.ts";
import type { InboundMailsTables } from "./inbound-mails.ts";
import type { LedgerTables } from "./ledger.ts";
import type { LiveChannelTables } from "./live-channel.ts";
import type { NotificationsTables } from "./notifications.ts";
import type { PasskeysTables } from "./passkeys.ts";
import type { PaymentsTables } from "./payments.ts";
import type { PlansTables } from "./plans.ts";
import type { PlatformTables } from "./platform.ts";
import type { ProbesTables } from "./probes.ts";
import type { ProfilesTables } from "./profiles.ts";
import type { SavedCardsTables } from "./saved-cards.ts";
import type { ShieldsTables } from "./shields.ts";
import type { StatusTables } from "./status.ts";
import type { SubscriptionsTables } from "./subscriptions.ts";
import type { TicketQueueTables } from "./ticket-queue.ts";
import type { TicketsTables } from "./tickets.ts";
import type { TrafficMonthsTables } from "./traffic-months.ts";

/** Every table the api reads or writes, by noun. */
export interface Database
  extends
    PlatformTables,
    ProbesTables,
    ProfilesTables,
    AccountsTables,
    AnnouncementsTables,
    AttacksTables,
    AuditTables,
    BedrockTables,
    BooksTables,
    CertificatesTables,
    InboundMailsTables,
    LedgerTables,
    LiveChannelTables,
    NotificationsTables,
    PasskeysTables,
    PaymentsTables,
    PlansTables,
    SavedCardsTables,
    ShieldsTables,
    DocumentsTables,
    DomainsTables,
    StatusTables,
    SubscriptionsTables,
    TicketQueueTables,
    TicketsTables,
    TrafficMonthsTables,
    EdgesTables {}
