import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { ApiConfig } from "#src/config.ts";
import type { Clock } from "./clock/clock.ts";
import type { Bus } from "./database/bus.ts";
import type { Db } from "./database/db.ts";
import type { Failpoint } from "./development/failpoints.ts";
import type { AuditLog } from "./http/pipeline/audit-log.ts";
import type { Mount } from "./http/pipeline/mount-types.ts";
import type { JobDefinition, Jobs } from "./jobs/jobs.ts";
import type { MailTemplate, Mailer } from "./mail/mailer.ts";

/** The services that features are built from. */
export interface Platform {
  readonly config: ApiConfig;
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly jobs: Jobs;
  readonly audit: AuditLog;
  readonly mailer: Mailer;
  readonly failpoint: Failpoint;
  /** The metrics that /metrics shows. */
  readonly metrics: Registry;
  readonly log: Logger;
}

/** A composed feature, ready to be hooked into the app. */
export interface Feature {
  mountRoutes(mount: Mount): void;
  readonly jobs?: readonly JobDefinition<object>[];
  readonly mailTemplates?: Readonly<Record<string, MailTemplate>>;
  /** After the database answered, before listening. */
  start?(): Promise<void>;
  /** In reverse order of start. */
  stop?(): Promise<void>;
}
