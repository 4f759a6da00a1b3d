import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { insertDevelopmentMail } from "#src/platform/mail/development-mails.repository.ts";
import type { Letterhead } from "#src/platform/mail/mail-content.ts";
import { countMails } from "#src/platform/mail/mail-metrics.ts";
import type { MailTemplate } from "#src/platform/mail/mailer.ts";
import { createMailSealer, mailJob, type MailTransport } from "#src/platform/mail/outbox.ts";
import { createSmtpTransport } from "#src/platform/mail/smtp-transport.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";

export interface MailPart {
  readonly job: JobDefinition<object>;
  readonly templates: Readonly<Record<string, MailTemplate>>;
  readonly letterhead: Letterhead;
}

/** Every mail template of the features, and the job that sends the mails. */
export function composeMail(
  platform: Platform,
  features: readonly Feature[],
  consoleOrigin: () => string,
): MailPart {
  const { config, clock, metrics, log } = platform;
  const templates: Readonly<Record<string, MailTemplate>> = Object.assign(
    {},
    ...features.map((feature) => feature.mailTemplates ?? {}),
  );
  const letterhead = { operator: config.operator, consoleOrigin };
  const transport = openTransport(platform);
  const count = countMails(metrics);
  const sealer = createMailSealer(config);
  return {
    job: mailJob({ sealer, templates, transport, letterhead, clock, count, log }),
    templates,
    letterhead,
  };
}

function openTransport({ config, db, clock }: Platform): MailTransport {
  if (config.smtpUrl === undefined) {
    // The development mailbox, shown at /dev/mail.
    return { deliver: (mail) => insertDevelopmentMail(db, mail, clock.now()) };
  }
  const { mailFrom: from, operator } = config;
  return createSmtpTransport({ url: config.smtpUrl, from, replyTo: operator.email });
}
