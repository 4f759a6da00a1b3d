import { locales } from "@palisade/contract/texts/render";
import { z } from "zod";
import { newId } from "#src/platform/ids.ts";
import type { JobDefinition, Jobs } from "#src/platform/jobs/jobs.ts";
import type { Mailer, MailTemplate, RenderedMail } from "./mailer.ts";

/** Hands a rendered mail over; throws to have it tried again. */
export interface MailTransport {
  deliver(mail: DeliverableMail): Promise<void>;
}

export interface DeliverableMail extends RenderedMail {
  /** The same at every try, so that a receiver can tell a repetition. */
  readonly id: string;
  readonly to: string;
}

const jobName = "mail.send";

const jobData = z.object({
  id: z.uuid(),
  to: z.string(),
  template: z.string(),
  locale: z.enum(locales),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});

export function createMailer(jobs: Jobs): Mailer {
  return {
    enqueue: (trx, mail) => jobs.send(trx, jobName, { id: newId(), ...mail }),
    enqueueNothing: (trx) => jobs.send(trx, jobName, { nothing: true }),
  };
}

/** Renders late, by the newest template, and hands over; about a day of tries. */
export function mailJob(
  templates: Readonly<Record<string, MailTemplate>>,
  transport: MailTransport,
): JobDefinition<object> {
  return {
    name: jobName,
    retryLimit: 16,
    retryDelaySeconds: 2,
    async run(data) {
      if ("nothing" in data) return;
      const mail = jobData.parse(data);
      const template = templates[mail.template];
      if (template === undefined) throw new Error(`There is no mail template ${mail.template}`);
      await transport.deliver({ id: mail.id, to: mail.to, ...template(mail.locale, mail.values) });
    },
  };
}
