import type { Logger } from "pino";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { verifyAuditLog } from "./audit.service.ts";

/**
 * Recomputes every chain each night. A break is an error line of its own for whatever watches the
 * log, with what `audit verify` would print; it is not repaired, and the job does not fail for it.
 */
export function auditVerificationJob(deps: {
  readonly db: Db;
  readonly log: Logger;
}): JobDefinition<object> {
  return {
    name: "audit.verify",
    retryLimit: 2,
    retryDelaySeconds: 600,
    cron: "41 3 * * *",
    // The log only grows: at the usual five minutes it would one night be begun again and again.
    tryLimitSeconds: 3600,
    async run(_, signal) {
      const { chains, rows, breaks } = await verifyAuditLog(deps.db, signal);
      for (const found of breaks) {
        deps.log.error({ alert: "audit-chain-broken", found }, "The audit log was tampered with");
      }
      deps.log.info({ chains, rows, broken: breaks.length }, "The audit log was verified");
    },
  };
}
