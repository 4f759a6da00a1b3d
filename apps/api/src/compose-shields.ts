import type { Locale } from "@palisade/contract/texts/render";
import { createAttacksFeature } from "#src/features/attacks/attacks.routes.ts";
import { createCachingFeature } from "#src/features/caching/caching.routes.ts";
import { createBackendsFeature } from "#src/features/backends/backends.routes.ts";
import { createDashboardFeature } from "#src/features/dashboard/dashboard.routes.ts";
import { createDoctorFeature } from "#src/features/doctor/doctor.routes.ts";
import { createDnsLook } from "#src/features/domains/dns-look.ts";
import { createDomainsFeature } from "#src/features/domains/domains.routes.ts";
import { createEdgesFeature } from "#src/features/edges/edges.routes.ts";
import { edgeAccess } from "#src/features/edges/edges.service.ts";
import { createFirewallFeature } from "#src/features/firewall/firewall.routes.ts";
import { createLogsFeature } from "#src/features/logs/logs.feature.ts";
import { createMinecraftFeature } from "#src/features/minecraft/minecraft.routes.ts";
import { createMitigationFeature } from "#src/features/mitigation/mitigation.routes.ts";
import { createOriginFeature } from "#src/features/origin/origin.routes.ts";
import { mountPlansRoutes } from "#src/features/plans/plans.routes.ts";
import { supportPlanOf } from "#src/features/plans/plans.service.ts";
import { createProbesFeature } from "#src/features/probes/probes.routes.ts";
import { createProbes } from "#src/features/probes/probes.service.ts";
import { createRegionsFeature } from "#src/features/regions/regions.routes.ts";
import { createServerMessagesFeature } from "#src/features/server-messages/server-messages.routes.ts";
import { countRecompiled } from "#src/features/shields/recompile-metrics.ts";
import { createShieldWrites } from "#src/features/shields/shield-writes.service.ts";
import { createShieldsFeature } from "#src/features/shields/shields.routes.ts";
import { createShieldAccess } from "#src/features/shields/shields.service.ts";
import { createSubUsersFeature } from "#src/features/sub-users/sub-users.routes.ts";
import { deriveKey } from "#src/platform/security/derived-key.ts";
import type { Executor } from "#src/platform/database/db.ts";
import type { EdgeAccess } from "#src/platform/http/pipeline/authentication.ts";
import type { ShieldAccess } from "#src/platform/http/pipeline/context.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";

export interface ShieldsPart extends Feature {
  readonly shieldAccess: ShieldAccess;
  readonly edgeAccess: EdgeAccess;
  /** The support plan a user holds, for the current user. */
  supportPlanOf(
    executor: Executor,
    userId: string,
    locale: Locale,
  ): Promise<{ readonly id: string; readonly name: string } | null>;
}

/** A resolver that is asked on the way has up to 5 s itself; nobody waits longer for a button. */
const lookCaps = {
  timeoutMs: 1_500,
  deadlineMs: 8_000,
  shares: { ofKind: { wizard: 24, doctor: 20, job: 20 }, ofUser: 4, waitingOfUser: 12 },
};

/** Plans, shields and edges. */
export function composeShields(
  platform: Platform,
  zoneServer: () => string | undefined,
  consoleOrigin: () => string,
): ShieldsPart {
  const { config, db, bus, log, clock, failpoint } = platform;
  const compiling = {
    bus,
    allowUnproven: config.development,
    cookieSecret: deriveKey(config.secret, "transfer-cookies"),
    discordInviteUrl: config.discordInviteUrl,
  };
  const writes = createShieldWrites({ ...compiling, failpoint });
  const rules = {
    zone: config.zone,
    anyBackend: config.development,
    privateBackends: config.privateBackends,
  };
  const probes = createProbes({ db, bus, log });
  const edges = createEdgesFeature({
    db,
    bus,
    jobs: platform.jobs,
    log,
    zone: config.zone,
    probes,
  });
  const domainChecks = {
    look: createDnsLook({
      resolvers: config.dnsResolvers,
      zone: config.zone,
      zoneServer,
      tellsPrivate: config.development,
      ...lookCaps,
    }),
    zone: config.zone,
    anyName: config.development,
    proofKey: deriveKey(config.secret, "domain proof"),
  };
  const features: readonly Feature[] = [
    { mountRoutes: (mount) => mountPlansRoutes(mount, db) },
    createMinecraftFeature(),
    createShieldsFeature({
      db,
      clock,
      log,
      rules,
      writes,
      failpoint,
      recompile: { ...compiling, db, log, count: countRecompiled(platform.metrics) },
    }),
    createDomainsFeature({ ...domainChecks, db, clock, writes, log, mailer: platform.mailer }),
    createRegionsFeature({ db, clock, writes, log }),
    createBackendsFeature({ db, writes, rules, ports: config.otherPorts }),
    createOriginFeature({ db, publicOrigin: consoleOrigin }),
    createFirewallFeature({ db, writes }),
    createServerMessagesFeature({ db, writes }),
    createCachingFeature({ db, writes }),
    createMitigationFeature({ db, writes }),
    createAttacksFeature({ db }),
    createLogsFeature({ db }),
    createSubUsersFeature({ db, clock, writes, mailer: platform.mailer, consoleOrigin }),
    createDashboardFeature({ db }),
    createProbesFeature({ db, probes, rules }),
    createDoctorFeature({ db, probes, dns: domainChecks }),
    edges,
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
    shieldAccess: createShieldAccess(() => clock.now()),
    edgeAccess,
    supportPlanOf,
  };
}
