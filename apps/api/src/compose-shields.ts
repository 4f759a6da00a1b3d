import type { Locale } from "@palisade/contract/texts/render";
import { mountAnalyticsRoutes } from "#src/features/analytics/analytics.routes.ts";
import type { Attachments } from "#src/features/attachments/attachments.service.ts";
import { createAttachmentsFeature } from "#src/features/attachments/attachments.feature.ts";
import { mountAnnouncementRoutes } from "#src/features/announcements/announcements.routes.ts";
import { createAttacksFeature } from "#src/features/attacks/attacks.feature.ts";
import { mountBedrockRoutes } from "#src/features/bedrock/bedrock.routes.ts";
import { mountCachingRoutes } from "#src/features/caching/caching.routes.ts";
import { createBackendProofsFeature } from "#src/features/backend-proofs/backend-proofs.feature.ts";
import { proofTokenOf } from "#src/features/backend-proofs/backend-proofs.service.ts";
import { mountBackendsRoutes } from "#src/features/backends/backends.routes.ts";
import { mountDashboardRoutes } from "#src/features/dashboard/dashboard.routes.ts";
import { mountDoctorRoutes } from "#src/features/doctor/doctor.routes.ts";
import { createDnsLookup } from "#src/features/domains/dns-lookup.ts";
import { createDomainsFeature } from "#src/features/domains/domains.feature.ts";
import { createConfigurationFeature } from "#src/features/configuration/configuration.feature.ts";
import { mountEdgesRoutes } from "#src/features/edges/edges.routes.ts";
import { edgeAccess } from "#src/features/edges/edges.service.ts";
import { createFirewallFeature } from "#src/features/firewall/firewall.feature.ts";
import { createNetworkRulesFeature } from "#src/features/network-rules/network-rules.feature.ts";
import { mountLocationRoutes } from "#src/features/locations/locations.routes.ts";
import { createLogsFeature } from "#src/features/logs/logs.feature.ts";
import { mountMinecraftRoutes } from "#src/features/minecraft/minecraft.routes.ts";
import { createNotificationsFeature } from "#src/features/notifications/notifications.feature.ts";
import { createMitigationFeature } from "#src/features/mitigation/mitigation.feature.ts";
import { mountReplayRoutes } from "#src/features/replay/replay.routes.ts";
import { mountOperationsRoutes } from "#src/features/operations/operations.routes.ts";
import { mountOriginRoutes } from "#src/features/origin/origin.routes.ts";
import { mountPlansRoutes } from "#src/features/plans/plans.routes.ts";
import { supportPlanOf } from "#src/features/plans/plans.service.ts";
import { createProbesFeature } from "#src/features/probes/probes.feature.ts";
import { createProbes } from "#src/features/probes/probes.service.ts";
import { createRegionsFeature } from "#src/features/regions/regions.feature.ts";
import { mountShieldMessagesRoutes } from "#src/features/shield-messages/shield-messages.routes.ts";
import { countRecompiled } from "#src/features/configuration/recompile-metrics.ts";
import {
  createShieldWrites,
  type ShieldWrites,
} from "#src/features/configuration/shield-writes.service.ts";
import { mountSettingsVersionRoutes } from "#src/features/settings-versions/settings-versions.routes.ts";
import { createHistoryFeature } from "#src/features/shield-history/shield-history.feature.ts";
import { createShieldsFeature } from "#src/features/shields/shields.feature.ts";
import { createShieldAccess } from "#src/features/shields/shields.service.ts";
import { createStaffPlansFeature } from "#src/features/staff-plans/staff-plans.feature.ts";
import { mountStaffShieldRoutes } from "#src/features/staff-shields/staff-shields.routes.ts";
import type { SavedCards } from "#src/features/subscriptions/saved-cards.service.ts";
import { createRenewalsFeature } from "#src/features/renewals/renewals.feature.ts";
import { createSubUsersFeature } from "#src/features/sub-users/sub-users.feature.ts";
import { mountSupportTargetsRoutes } from "#src/features/support-targets/support-targets.routes.ts";
import { createStaffTicketsFeature } from "#src/features/staff-tickets/staff-tickets.feature.ts";
import { createTelemetryFeature } from "#src/features/telemetry/telemetry.feature.ts";
import { createTicketsFeature } from "#src/features/tickets/tickets.feature.ts";
import { createTrafficFeature } from "#src/features/traffic/traffic.feature.ts";
import { deriveKey, deriveKeys } from "#src/platform/security/derived-key.ts";
import { AddressDatabases } from "@palisade/address-databases/address-databases";
import type { Executor } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { EdgeAccess } from "#src/platform/http/pipeline/authentication.ts";
import type { ShieldAccess } from "#src/platform/http/pipeline/context.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";

export interface ShieldsPart extends Feature {
  /** The files of tickets, for mails too. */
  readonly attachments: Attachments;
  readonly shieldAccess: ShieldAccess;
  readonly edgeAccess: EdgeAccess;
  readonly writes: ShieldWrites;
  /** The support plan a user holds, for the current user. */
  supportPlanOf(
    executor: Executor,
    userId: string,
    locale: Locale,
  ): Promise<{ readonly id: string; readonly name: string } | null>;
}

/** A resolver on the way may itself take up to 5 s; a button answers within the deadline. */
const lookupCaps = {
  timeoutMs: 1_500,
  deadlineMs: 8_000,
  limits: { perKind: { wizard: 24, doctor: 20, job: 20 }, perUser: 4, waitingPerUser: 12 },
};

/** Addresses that may only be known after the start. */
export interface NetworkSettings {
  /** The zone's DNS server, if one is set. */
  readonly zoneServer: () => string | undefined;
  /** The port players connect to at the edges. */
  readonly javaPort: () => number;
}

/** Plans, shields and edges. */
export function composeShields(
  platform: Platform,
  network: NetworkSettings,
  consoleOrigin: () => string,
  cards: SavedCards,
): ShieldsPart {
  const { config, db, bus, jobs, log, clock, failpoint, mailer } = platform;
  const compiling = {
    bus,
    allowUnproven: config.development,
    cookieSecret: deriveKey(config.secret, "transfer-cookies"),
    discordInviteUrl: config.discordInviteUrl,
  };
  const writes = createShieldWrites({ ...compiling, clock, failpoint });
  const rules = {
    zone: config.zone,
    anyBackend: config.development,
    privateBackends: config.privateBackends,
    ports: config.backendPorts,
  };
  const probes = createProbes({ db, bus, log });
  const domainChecks = {
    lookup: createDnsLookup({
      resolvers: config.dnsResolvers,
      zone: config.zone,
      zoneServer: network.zoneServer,
      tellsPrivate: config.development,
      ...lookupCaps,
    }),
    zone: config.zone,
    anyName: config.development,
    proofKeys: deriveKeys(config, "domain proof"),
    javaPort: network.javaPort,
  };
  const { lookup } = domainChecks;
  const proofKeys = deriveKeys(config, "backend proof");
  const shieldAccess = createShieldAccess(() => clock.now());
  const files = createAttachmentsFeature(platform);
  const places = new AddressDatabases({ paths: config.addressDatabases, log });
  const features: readonly Feature[] = [
    { mountRoutes: (mount) => mountPlansRoutes(mount, db) },
    { mountRoutes: mountMinecraftRoutes },
    createShieldsFeature({
      db,
      clock,
      log,
      rules,
      writes,
      failpoint,
      cards,
    }),
    createRenewalsFeature({ db, clock, log, writes, cards, mailer, failpoint }),
    createDomainsFeature({ ...domainChecks, db, clock, writes, log, mailer: platform.mailer }),
    createRegionsFeature({ db, clock, writes, log }),
    routesOnly(mountBackendsRoutes, {
      db,
      writes,
      rules,
      ports: config.otherPorts,
      proofToken: (shieldId: string) => proofTokenOf(proofKeys, shieldId),
    }),
    createBackendProofsFeature({ db, clock, log, writes, probes, lookup, proofKeys }),
    routesOnly(mountOriginRoutes, { db, publicOrigin: consoleOrigin }),
    createFirewallFeature({ db, clock, writes, log }),
    createNetworkRulesFeature({ db, clock, writes, log, places }),
    routesOnly(mountShieldMessagesRoutes, { db, writes }),
    routesOnly(mountCachingRoutes, { db, writes }),
    routesOnly(mountBedrockRoutes, { db, writes, ports: config.bedrockPorts }),
    createMitigationFeature({ db, clock, log, writes, zone: config.zone }),
    routesOnly(mountReplayRoutes, { db }),
    routesOnly(mountAnalyticsRoutes, { db }),
    createNotificationsFeature(platform, { writes, consoleOrigin }),
    createAttacksFeature({ db, clock, places }),
    createLogsFeature({ db, log, jobs, places, shieldAccess }),
    createHistoryFeature({ db, clock }),
    routesOnly(mountSettingsVersionRoutes, {
      db,
      writes,
      rules,
      ports: config.otherPorts,
      bedrockPorts: config.bedrockPorts,
    }),
    createSubUsersFeature({ db, clock, writes, mailer: platform.mailer, consoleOrigin }),
    routesOnly(mountDashboardRoutes, { db }),
    createProbesFeature({ db, probes, rules }),
    routesOnly(mountDoctorRoutes, { db, probes, dns: domainChecks }),
    files,
    createTicketsFeature(platform, {
      attachments: files.attachments,
      shieldAccess,
      probes,
      dns: domainChecks,
    }),
    routesOnly(mountSupportTargetsRoutes, { db }),
    createStaffTicketsFeature(platform, { attachments: files.attachments, consoleOrigin }),
    createTelemetryFeature({ db, log }),
    createTrafficFeature({ db, log, jobs, places }),
    routesOnly(mountEdgesRoutes, { db, bus, jobs }),
    routesOnly(mountLocationRoutes, { db }),
    routesOnly(mountStaffShieldRoutes, { db, writes }),
    createStaffPlansFeature({ db, jobs, clock, writes }),
    routesOnly(mountOperationsRoutes, { db }),
    routesOnly(mountAnnouncementRoutes, { db }),
    createConfigurationFeature({
      db,
      clock,
      bus,
      log,
      zone: config.zone,
      probes,
      recompile: { ...compiling, db, log, count: countRecompiled(platform.metrics) },
    }),
  ];
  return {
    mountRoutes(mount) {
      for (const feature of features) feature.mountRoutes(mount);
    },
    jobs: features.flatMap((feature) => feature.jobs ?? []),
    mailTemplates: Object.assign({}, ...features.map((feature) => feature.mailTemplates ?? {})),
    async start() {
      for (const feature of features) await feature.start?.();
    },
    async stop() {
      for (const feature of features.toReversed()) await feature.stop?.();
    },
    shieldAccess,
    edgeAccess,
    writes,
    supportPlanOf,
    attachments: files.attachments,
  };
}

/** A feature without jobs, mails or anything to start. */
function routesOnly<Deps>(mountRoutes: (mount: Mount, deps: Deps) => void, deps: Deps): Feature {
  return { mountRoutes: (mount) => mountRoutes(mount, deps) };
}
