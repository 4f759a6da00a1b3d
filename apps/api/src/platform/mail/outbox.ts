import { locales } from "@palisade/contract/texts/render";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "#src/platform/clock/clock.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { JobDefinition, Jobs } from "#src/platform/jobs/jobs.ts";
import { deriveKeys, type Secrets } from "#src/platform/security/derived-key.ts";
import { createSealer, type Sealer } from "#src/platform/security/sealing.ts";
import { layoutMail } from "./layout.ts";
import type { Letterhead } from "./mail-content.ts";
import type { MailCounter } from "./mail-metrics.ts";
import type { Mailer, MailTemplate, RenderedMail } from "./mailer.ts";

export interface MailTransport {
  /**
   * Hands a rendered mail over; throws to have it tried again. An aborted mail is not delivered
   * later.
   *
   * @throws MailRefused when no try can succeed
   */
  deliver(mail: DeliverableMail, signal?: AbortSignal): Promise<void>;
}

export interface DeliverableMail extends RenderedMail {
  /** The same at every try, so that a receiver can tell a repetition. */
  readonly id: string;
  readonly to: string;
}

/** The receiver's server has refused this mail for good. */
export class MailRefused extends Error {}

const jobName = "mail.send";

const mailSecrets = z.object({
  to: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});

const jobData = z
  .object({
    id: z.uuid(),
    template: z.string(),
    locale: z.enum(locales),
    usefulUntil: z.iso.datetime().optional(),
  })
  // `sealed`: `MailSecrets`, for the id. Jobs of a version before hold them as they are.
  .and(z.union([z.object({ sealed: z.string() }), mailSecrets]));

type MailSecrets = z.output<typeof mailSecrets>;

/** Jobs wait in the database, and their mails hold codes and links: a copy of it must not show them. */
export function createMailSealer(secrets: Secrets): Sealer {
  return createSealer(deriveKeys(secrets, "mails"));
}

export function createMailer(jobs: Jobs, sealer: Sealer): Mailer {
  return {
    enqueue(trx, { to, template, locale, values, usefulUntil }) {
      const id = newId();
      const secrets: MailSecrets = { to, values };
      return jobs.send(trx, jobName, {
        id,
        template,
        locale,
        sealed: sealer.seal(JSON.stringify(secrets), id),
        ...(usefulUntil && { usefulUntil: usefulUntil.toISOString() }),
      });
    },
    enqueueNothing: (trx) => jobs.send(trx, jobName, { nothing: true }),
  };
}

export interface MailJobDeps {
  readonly sealer: Pick<Sealer, "open">;
  readonly templates: Readonly<Record<string, MailTemplate>>;
  readonly transport: MailTransport;
  readonly letterhead: Letterhead;
  readonly clock: Clock;
  readonly count: MailCounter;
  readonly log: Logger;
}

/**
 * Renders a mail with the newest template when the job runs, and hands it over; tries for about a
 * day. A mail goes out once, or twice with the same id if its acceptance got lost on the way back.
 * Logs name mails by id, never by receiver, code or link.
 */
export function mailJob(deps: MailJobDeps): JobDefinition<object> {
  const { sealer, templates, transport, letterhead, clock, count, log } = deps;
  return {
    name: jobName,
    retryLimit: 36,
    retryDelaySeconds: 2,
    // Short enough that a code is still useful after a crash, and longer than any transport tries:
    // otherwise a mail would go out twice.
    tryLimitSeconds: 90,
    // A receiver whose server is slow does not delay the codes of others.
    concurrency: 4,
    async run(data, signal) {
      if ("nothing" in data) return;
      const job = jobData.parse(data);
      const { id, template: name, locale, usefulUntil } = job;
      const about = { mailId: id, template: name };
      if (usefulUntil !== undefined && clock.now() >= new Date(usefulUntil)) {
        count("outdated");
        log.warn(about, "A mail was not sent: its code or link is void by now");
        return;
      }
      const template = templates[name];
      if (template === undefined) throw new Error(`There is no mail template ${name}`);
      const { to, values } =
        "sealed" in job ? mailSecrets.parse(JSON.parse(sealer.open(job.sealed, id))) : job;
      const mail = layoutMail(locale, template.render(locale, values), letterhead);
      try {
        await transport.deliver({ id, to, ...mail }, signal);
        count("sent");
      } catch (error) {
        if (!(error instanceof MailRefused)) {
          count("failed_try");
          throw error;
        }
        count("refused");
        log.error({ ...about, err: error }, "A mail was refused for good");
      }
    },
    onGivenUp(data, error) {
      if ("nothing" in data) return;
      count("given_up");
      const { id, template } = data as { id?: unknown; template?: unknown };
      log.error({ mailId: id, template, err: error }, "A mail was given up after its last try");
    },
  };
}
