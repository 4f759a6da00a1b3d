import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import type { AuditSecrets } from "./audit-keys.ts";
import { mountAuditRoutes } from "./audit.routes.ts";
import { markAuditLog, verifyAuditLog } from "./audit.service.ts";

type AuditDeps = Pick<Platform, "db" | "log" | "clock"> & { readonly config: AuditSecrets };

/** The audit log as its owner reads it, its hourly marks and its nightly verification. */
export function createAuditFeature(deps: AuditDeps): Feature {
  return {
    mountRoutes: (mount) => mountAuditRoutes(mount, deps),
    jobs: [auditMarksJob(deps), auditVerificationJob(deps)],
  };
}

export function auditMarksJob({ db, config, clock }: AuditDeps): JobDefinition<object> {
  return {
    name: "audit.mark",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "11 * * * *",
    async run() {
      await markAuditLog(db, config, clock.now());
    },
  };
}

/**
 * Recomputes every chain each night. Each break becomes an error line of its own, with the text of
 * `audit verify`, for monitors of the log. It is not repaired, and the job does not fail for it.
 */
export function auditVerificationJob(deps: AuditDeps): JobDefinition<object> {
  return {
    name: "audit.verify",
    retryLimit: 2,
    retryDelaySeconds: 600,
    cron: "41 3 * * *",
    // The log only grows: at the usual five minutes it would one night be begun again and again.
    tryLimitSeconds: 3600,
    async run(_, signal) {
      const { chains, rows, breaks, mark } = await verifyAuditLog(deps.db, deps.config, { signal });
      for (const found of breaks) {
        deps.log.error({ alert: "audit-chain-broken", found }, "The audit log was tampered with");
      }
      deps.log.info({ chains, rows, broken: breaks.length, mark }, "The audit log was verified");
    },
  };
}
