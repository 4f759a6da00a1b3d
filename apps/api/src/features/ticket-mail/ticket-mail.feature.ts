import { attachmentBytesMax, attachmentFilesMax } from "@palisade/contract/http/attachment-rules";
import type { Attachments } from "#src/features/attachments/attachments.service.ts";
import { addMessage } from "#src/features/tickets/ticket-messages.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import type { Certificate } from "#src/platform/http/tls/certificate.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { imapPollJob } from "./imap-poll.ts";
import { deleteMailsBefore } from "./inbound-mails.repository.ts";
import { createInboundMails, type InboundMails } from "./inbound-mails.service.ts";
import { countInboundMails } from "./mail-counter.ts";
import { mailProcessingJob, type MailedReply } from "./mail-processing.service.ts";
import { createMailedFiles } from "./mailed-files.ts";
import { createMailReading } from "./reading/mail-reading.ts";
import { mountQuarantineRoutes } from "./quarantine.routes.ts";
import { createReplyAddresses, type ReplyAddresses } from "./reply-address.ts";
import { openSmtpListener, type SmtpListener } from "./smtp-listener.ts";
import { ticketMailTemplates } from "./ticket-mail-templates.ts";
import type { TicketMails } from "./ticket-mails.service.ts";

export interface TicketMailFeature extends Feature {
  /** Undefined: tickets are answered in the console alone. */
  readonly inbound: InboundMails | undefined;
  /**
   * Opens the port for mails, if there is to be one. It is closed with the feature.
   *
   * @throws StartError where the port cannot be opened
   */
  readonly listen: (certificate: Certificate | undefined) => Promise<SmtpListener | undefined>;
}

export interface TicketMailDeps {
  readonly attachments: Attachments;
  readonly mails: TicketMails;
}

const readMsMax = 10_000;
/** How long a mail that comes again is known, and staff can look at one in quarantine. */
const daysKept = 30;

/** Undefined: tickets are answered in the console alone. */
export function replyAddressesOf({
  supportMail,
  secret,
  formerSecrets,
}: Pick<Platform["config"], "supportMail" | "secret" | "formerSecrets">):
  | ReplyAddresses
  | undefined {
  return supportMail && createReplyAddresses(supportMail.address, { secret, formerSecrets });
}

/** Mails about tickets, and the answers to them. */
export function createTicketMailFeature(
  platform: Platform,
  { attachments, mails }: TicketMailDeps,
): TicketMailFeature {
  const { config, db, clock, jobs, log, metrics } = platform;
  const { supportMail } = config;
  const addresses = replyAddressesOf(config);
  // Its thread starts with the first mail.
  const reading = createMailReading({
    msMax: readMsMax,
    filesMax: attachmentFilesMax,
    fileBytesMax: attachmentBytesMax,
  });
  const files = createMailedFiles(attachments, clock);
  const replying = {
    files,
    addReply: (trx: Trx, reply: MailedReply) => addReply(platform, trx, reply),
  };
  // Also where no mails are taken any more: some may be in quarantine.
  const mountRoutes = (mount: Mount) => mountQuarantineRoutes(mount, { db, reading, ...replying });
  if (supportMail === undefined || addresses === undefined) {
    return {
      inbound: undefined,
      listen: async () => undefined,
      mountRoutes,
      mailTemplates: ticketMailTemplates,
      stop: () => reading.close(),
    };
  }
  const inbound = createInboundMails({ db, clock, jobs, addresses });
  let listener: SmtpListener | undefined;
  const { smtp, imap } = supportMail;
  const definitions: JobDefinition<object>[] = [
    mailProcessingJob({
      db,
      clock,
      addresses,
      reading,
      mails,
      ...replying,
      addNote: async (trx, { ticketId, text, now }) => {
        await addMessage(platform.bus, trx, {
          ticketId,
          authorId: null,
          isAdmin: true,
          isInternal: true,
          body: text,
          source: "mail",
          files: [],
          now,
        });
      },
      count: countInboundMails(metrics),
      log,
    }),
    {
      name: "ticket-mail.clean",
      retryLimit: 3,
      retryDelaySeconds: 600,
      cron: "41 4 * * *",
      run: () => deleteMailsBefore(db, new Date(clock.now().getTime() - daysKept * 86_400_000)),
    },
  ];
  if (imap !== undefined) {
    const isReplyAddress = (address: string) => addresses.numberIn(address) !== null;
    definitions.push(imapPollJob({ config: imap, mails: inbound, isReplyAddress, log }));
  }
  return {
    inbound,
    async listen(certificate) {
      if (smtp === undefined) return undefined;
      const name = supportMail.address.slice(supportMail.address.lastIndexOf("@") + 1);
      listener = await openSmtpListener({ ...smtp, name, certificate, mails: inbound, log });
      log.info({ port: listener.port }, "Taking mails to tickets");
      return listener;
    },
    mountRoutes,
    mailTemplates: ticketMailTemplates,
    jobs: definitions,
    async stop() {
      await listener?.close();
      await reading.close();
    },
  };
}

/** The account is locked. */
async function addReply(
  { bus }: Platform,
  trx: Trx,
  { ticketId, userId, text, files, now }: MailedReply,
): Promise<{ readonly id: string }> {
  const { messageId } = await addMessage(bus, trx, {
    ticketId,
    authorId: userId,
    isAdmin: false,
    isInternal: false,
    body: text,
    source: "mail",
    files,
    now,
  });
  return { id: messageId };
}
