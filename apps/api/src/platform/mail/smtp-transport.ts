import { isThisMachine } from "@palisade/settings/encrypted-urls";
import { createTransport } from "nodemailer";
import type { MailThread } from "./mail-content.ts";
import { MailRefused, type MailTransport } from "./outbox.ts";

/** For all steps of one try; well below a job's own limit, so that no job runs twice at once. */
const tryMsMax = 60_000;

export interface SmtpOptions {
  /** `smtp://user:password@host:587`; `?requireTLS=false` lets mails go in clear. */
  readonly url: string;
  /** `Name <address>`. */
  readonly from: string;
  /** The address for people's replies. */
  readonly replyTo?: string;
  readonly tryMsMax?: number;
}

/** Sends through the mail server of SMTP_URL, a connection per mail. */
export function createSmtpTransport(options: SmtpOptions): MailTransport {
  const { protocol, username, hostname } = new URL(options.url);
  const smtp = createTransport(
    {
      url: options.url,
      // An attacker between us and the server must get neither password nor mail by hiding STARTTLS.
      requireTLS: protocol !== "smtps:" && (username !== "" || !isThisMachine(hostname)),
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      // Mails hold no attachments by path or URL; a value could not smuggle one in either.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: options.from, ...(options.replyTo && { replyTo: options.replyTo }) },
  );
  const domain = /@([\w.-]+)>?\s*$/.exec(options.from)?.[1] ?? "palisade";
  return {
    async deliver(mail, signal) {
      const deadline = AbortSignal.timeout(options.tryMsMax ?? tryMsMax);
      try {
        await smtp.sendMail({
          // As an object: a comma or line break in the address adds no recipient or header.
          to: { name: "", address: mail.to },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId: `<${mail.id}@${domain}>`,
          ...(mail.replyTo && { replyTo: { name: "", address: mail.replyTo } }),
          ...(mail.thread && threadHeaders(mail.thread, domain)),
          headers: { "auto-submitted": "auto-generated", "x-auto-response-suppress": "All" },
          ...(mail.optOutUrl && { list: { unsubscribe: mail.optOutUrl } }),
          signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
        });
      } catch (error) {
        throw judge(error, mail.to);
      }
    },
  };
}

/**
 * The first mail of a thread is one that was never sent: so all of them belong together, whichever
 * the receiver's program has.
 */
function threadHeaders({ id, receiverMailIds }: MailThread, domain: string) {
  const references = [`<${id}@${domain}>`, ...receiverMailIds];
  return { references, inReplyTo: references.at(-1) ?? "" };
}

/** RFC 3463: 5.7.x is security or policy. */
const policyStatus = /^5\d\d[ -]5\.7\.\d/;

interface SmtpFailure {
  readonly message: string;
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/**
 * A 5xx about the receiver or the mail is final. A 5xx about us (login, sender, connection, or a
 * policy by its enhanced status: relaying denied, our address blocked) is not: it concerns every
 * mail, and ends when the operator has fixed it.
 * The error that is logged keeps only the parts of the original that name no person.
 */
function judge(error: unknown, to: string): Error {
  // Whatever nodemailer throws is an Error with some of these.
  const failure = error as SmtpFailure;
  const { message, code = "", command = "", responseCode = 0, response = "" } = failure;
  const isFinal =
    (command === "RCPT TO" || command === "DATA") &&
    responseCode >= 500 &&
    // A session in the wrong state, which another connection is not.
    responseCode !== 503 &&
    !policyStatus.test(response);
  const kind = [command, code].filter((part) => part !== "").join(" ");
  const text = `${kind}: ${message.replaceAll(to, "<receiver>")}`;
  return isFinal ? new MailRefused(text) : new Error(text);
}
