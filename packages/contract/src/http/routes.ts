import { edgeRoutes } from "../edge/edge-routes.ts";
import { accountRoutes } from "./account.ts";
import { analyticsRoutes } from "./analytics.ts";
import { announcementRoutes, staffAnnouncementRoutes } from "./announcements.ts";
import { attackRoutes } from "./attacks.ts";
import { auditRoutes } from "./audit.ts";
import { authRoutes } from "./auth.ts";
import { automaticPaymentRoutes } from "./automatic-payments.ts";
import { backendRoutes } from "./backends.ts";
import { billingRoutes } from "./billing.ts";
import { shieldDomainRoutes } from "./domains.ts";
import { bedrockRoutes } from "./bedrock.ts";
import { cachingRoutes } from "./caching.ts";
import { cannedReplyRoutes } from "./canned-replies.ts";
import { firewallRoutes } from "./firewall.ts";
import { historyRoutes } from "./history.ts";
import { invoiceRoutes } from "./invoices.ts";
import { liveChannelRoutes } from "./live-channel.ts";
import { logRoutes } from "./logs.ts";
import { minecraftRoutes } from "./minecraft.ts";
import { mitigationRoutes } from "./mitigation.ts";
import { networkRuleRoutes } from "./network-rules.ts";
import { notificationRoutes } from "./notifications.ts";
import { originRoutes } from "./origin.ts";
import { passwordResetRoutes } from "./password-reset.ts";
import { passkeyRoutes } from "./passkeys.ts";
import { paymentMethodRoutes } from "./payment-methods.ts";
import { planChangeRoutes, supportPlanRoutes } from "./plan-changes.ts";
import { planRoutes } from "./plans.ts";
import { profileRoutes } from "./profile.ts";
import { regionRoutes } from "./regions.ts";
import type { RouteDefinition } from "./route.ts";
import { replayRoutes } from "./replay.ts";
import { responseTimeRoutes } from "./response-targets.ts";
import { serverLifeRoutes } from "./server-life.ts";
import { serverMessageRoutes } from "./server-messages.ts";
import { doctorRoutes, domainCheckRoutes, probeRoutes } from "./server-setup.ts";
import { serverRoutes } from "./servers.ts";
import { staffBookRoutes } from "./staff-books.ts";
import { staffEdgeRoutes } from "./staff-edges.ts";
import { staffLocationRoutes } from "./staff-locations.ts";
import { staffMailRoutes } from "./staff-mails.ts";
import { staffOperationRoutes } from "./staff-operations.ts";
import { staffPlanRoutes } from "./staff-plans.ts";
import { staffPromoCodeRoutes } from "./staff-promo-codes.ts";
import { staffShieldRoutes } from "./staff-shields.ts";
import { staffStatusRoutes } from "./staff-status.ts";
import { staffSupportRoutes } from "./staff-support.ts";
import { staffTicketRoutes } from "./staff-tickets.ts";
import { staffUserRoutes } from "./staff-users.ts";
import { subUserRoutes } from "./sub-users.ts";
import { ticketRoutes } from "./tickets.ts";
import { twoFactorRoutes } from "./two-factor.ts";
import { webhookRoutes } from "./webhooks.ts";

/**
 * Every route of the product. The api refuses to start where a mounted route is
 * missing here, or a route here is not mounted; tests walk this list.
 */
export const routes = {
  auth: authRoutes,
  passwordReset: passwordResetRoutes,
  twoFactor: twoFactorRoutes,
  passkeys: passkeyRoutes,
  plans: planRoutes,
  planChanges: planChangeRoutes,
  supportPlans: supportPlanRoutes,
  minecraft: minecraftRoutes,
  servers: serverRoutes,
  serverLife: serverLifeRoutes,
  backends: backendRoutes,
  origin: originRoutes,
  firewall: firewallRoutes,
  networkRules: networkRuleRoutes,
  serverMessages: serverMessageRoutes,
  caching: cachingRoutes,
  bedrock: bedrockRoutes,
  mitigation: mitigationRoutes,
  replay: replayRoutes,
  analytics: analyticsRoutes,
  notifications: notificationRoutes,
  webhooks: webhookRoutes,
  attacks: attackRoutes,
  logs: logRoutes,
  history: historyRoutes,
  subUsers: subUserRoutes,
  domains: domainCheckRoutes,
  shieldDomains: shieldDomainRoutes,
  regions: regionRoutes,
  probes: probeRoutes,
  doctor: doctorRoutes,
  profile: profileRoutes,
  account: accountRoutes,
  audit: auditRoutes,
  billing: billingRoutes,
  paymentMethods: paymentMethodRoutes,
  automaticPayments: automaticPaymentRoutes,
  invoices: invoiceRoutes,
  tickets: ticketRoutes,
  liveChannel: liveChannelRoutes,
  announcements: announcementRoutes,
  staffAnnouncements: staffAnnouncementRoutes,
  staffBooks: staffBookRoutes,
  staffEdges: staffEdgeRoutes,
  staffLocations: staffLocationRoutes,
  staffOperations: staffOperationRoutes,
  staffPlans: staffPlanRoutes,
  staffPromoCodes: staffPromoCodeRoutes,
  staffShields: staffShieldRoutes,
  staffStatus: staffStatusRoutes,
  staffUsers: staffUserRoutes,
  staffTickets: staffTicketRoutes,
  staffSupport: staffSupportRoutes,
  staffMails: staffMailRoutes,
  cannedReplies: cannedReplyRoutes,
  responseTimes: responseTimeRoutes,
  edge: edgeRoutes,
} as const;

type Families = typeof routes;

/** Id of every route: a table keyed by it does not compile while one is missing. */
export type RouteId = {
  [F in keyof Families]: Families[F][keyof Families[F]] extends { readonly id: infer Id }
    ? Id
    : never;
}[keyof Families];

export const allRoutes: readonly RouteDefinition[] = Object.values(routes).flatMap((family) =>
  Object.values(family),
);
