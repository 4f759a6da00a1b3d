import { locales } from "@palisade/contract/texts/render";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "#src/platform/clock/clock.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { JobDefinition, Jobs } from "#src/platform/jobs/jobs.ts";
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

const jobData = z.object({
  id: z.uuid(),
  to: z.string(),
  template: z.string(),
  locale: z.enum(locales),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  usefulUntil: z.iso.datetime().optional(),
});

export function createMailer(jobs: Jobs): Mailer {
  return {
    enqueue: (trx, { usefulUntil, ...mail }) =>
      jobs.send(trx, jobName, {
        id: newId(),
        ...mail,
        ...(usefulUntil && { usefulUntil: usefulUntil.toISOString() }),
      }),
    enqueueNothing: (trx) => jobs.send(trx, jobName, { nothing: true }),
  };
}

export interface MailJobDeps {
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
  const { templates, transport, letterhead, clock, count, log } = deps;
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
      const { id, to, template: name, locale, values, usefulUntil } = jobData.parse(data);
      const about = { mailId: id, template: name };
      if (usefulUntil !== undefined && clock.now() >= new Date(usefulUntil)) {
        count("outdated");
        log.warn(about, "A mail was not sent: its code or link is void by now");
        return;
      }
      const template = templates[name];
      if (template === undefined) throw new Error(`There is no mail template ${name}`);
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
