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
   * Hands a rendered mail over; throws to have it tried again. What was aborted is not delivered
   * later.
   *
   * @throws MailRefused where no try will ever succeed
   */
  deliver(mail: DeliverableMail, signal?: AbortSignal): Promise<void>;
}

export interface DeliverableMail extends RenderedMail {
  /** The same at every try, so that a receiver can tell a repetition. */
  readonly id: string;
  readonly to: string;
}

/** The receiver's server will not have this mail, today or tomorrow. */
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
 * Renders late, by the newest template, and hands over; tries for about a day. A mail goes out
 * once: twice only where its acceptance got lost on the way back, and then under the same id.
 * Logs name mails by id, never receiver, code or link.
 */
export function mailJob(deps: MailJobDeps): JobDefinition<object> {
  const { templates, transport, letterhead, clock, count, log } = deps;
  return {
    name: jobName,
    retryLimit: 36,
    retryDelaySeconds: 2,
    // After a crash a code is still of use. A transport gives up well before, or mails went twice.
    tryLimitSeconds: 90,
    // One receiver whose server is slow holds up no other's code.
    concurrency: 4,
    async run(data, signal) {
      if ("nothing" in data) return;
      const { id, to, template: name, locale, values, usefulUntil } = jobData.parse(data);
      const about = { mailId: id, template: name };
      if (usefulUntil !== undefined && clock.now() >= new Date(usefulUntil)) {
        count("outdated");
        log.warn(about, "A mail was not sent: what it brings is void by now");
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
