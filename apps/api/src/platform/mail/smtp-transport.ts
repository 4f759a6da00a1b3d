import { createTransport } from "nodemailer";
import type { MailTransport } from "./outbox.ts";

/** Sends through the mail server of SMTP_URL. */
export function createSmtpTransport(options: {
  readonly url: string;
  readonly from: string;
}): MailTransport {
  const smtp = createTransport(
    {
      url: options.url,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      // Mails hold no attachments by path or URL; a value could not smuggle one in either.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: options.from },
  );
  return {
    async deliver(mail) {
      await smtp.sendMail({
        // As an object: a comma or line break in the address adds no recipient or header.
        to: { name: "", address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.id}@palisade>`,
        headers: { "auto-submitted": "auto-generated" },
      });
    },
  };
}
