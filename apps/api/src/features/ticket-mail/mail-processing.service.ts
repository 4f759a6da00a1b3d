import { messageCharactersMax } from "@palisade/contract/http/tickets";
import type { Logger } from "pino";
import { lockUser } from "#src/features/users/users.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { withSavepoint } from "#src/platform/database/savepoint.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { isAutomatic } from "./automatic-mail.policy.ts";
import {
  countMailsOf,
  finishMail,
  holdMail,
  holdTicketMails,
  selectMailToProcess,
  selectTicketByNumber,
  type MailOutcome,
} from "./inbound-mails.repository.ts";
import { processJobName } from "./inbound-mails.service.ts";
import type { MailCounter } from "./mail-counter.ts";
import type { MailedFiles, PreparedMailFiles } from "./mailed-files.ts";
import type { MailReading } from "./reading/mail-reading.ts";
import { MailUnreadable, type ReadMail } from "./reading/read-mail.ts";
import type { ReplyAddresses } from "./reply-address.ts";
import type { AnswerReason, TicketMails } from "./ticket-mails.service.ts";

/** The customer's message, as the tickets take it. */
export interface MailedReply {
  readonly ticketId: string;
  readonly userId: string;
  readonly text: string;
  readonly files: PreparedMailFiles["kept"];
  readonly now: Date;
}

export interface MailProcessingDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly addresses: ReplyAddresses;
  readonly reading: Pick<MailReading, "read">;
  readonly files: MailedFiles;
  readonly mails: Pick<TicketMails, "answer">;
  /**
   * Adds the message to the ticket.
   *
   * @throws DomainError `ticket_closed`, `attachment_quota`
   */
  readonly addReply: (trx: Trx, reply: MailedReply) => Promise<{ readonly id: string }>;
  /** Adds an internal note to the ticket. */
  readonly addNote: (
    trx: Trx,
    note: { readonly ticketId: string; readonly text: string; readonly now: Date },
  ) => Promise<void>;
  readonly count: MailCounter;
  readonly log: Logger;
}

/** Mails of a ticket and hour that are added or answered: two programs that write to each other stop there. */
const takenPerHourMax = 20;
/** Mails of ours about mails of the customer, for a ticket and hour. */
const answersPerHourMax = 3;
/** Notes about mails of other senders, for a ticket and hour. */
const notesPerHourMax = 3;

type Ticket = NonNullable<Awaited<ReturnType<typeof selectTicketByNumber>>>;

/** Reads the mails that were kept, one after the other, and adds them to their tickets. */
export function mailProcessingJob(deps: MailProcessingDeps): JobDefinition<object> {
  return {
    name: processJobName,
    retryLimit: 12,
    retryDelaySeconds: 5,
    async run(data, signal) {
      const { id } = data as { id?: unknown };
      if (typeof id !== "string") return;
      const row = await selectMailToProcess(deps.db, id);
      if (row?.source == null) return;
      let mail: ReadMail;
      try {
        mail = await deps.reading.read(row.source, signal);
      } catch (error) {
        if (!(error instanceof MailUnreadable)) throw error;
        deps.log.warn({ err: error, inboundMailId: id }, "A mail cannot be read");
        await finish(deps, id, { status: "quarantined", reason: "unreadable" });
        return;
      }
      const { recipient } = row;
      // Fetched by IMAP, the envelope is unknown.
      const sender = row.via === "smtp" ? row.sender : null;
      await process(deps, { id, recipient, sender, mail });
    },
    onGivenUp(data, error) {
      deps.count("given_up");
      deps.log.error({ ...data, err: error }, "A mail to a ticket was given up");
    },
  };
}

interface Arrived {
  readonly id: string;
  readonly recipient: string;
  readonly sender: string | null;
  readonly mail: ReadMail;
}

async function process(deps: MailProcessingDeps, arrived: Arrived): Promise<void> {
  const { id, mail } = arrived;
  const head = {
    fromAddress: mail.from[0]?.slice(0, 320) ?? null,
    subject: mail.subject.replaceAll("\0", ""),
    mailId: mail.mailId,
  };
  const judged = await judge(deps, arrived);
  if ("status" in judged) {
    await finish(deps, id, { ...judged, head }, mail);
    return;
  }
  const { ticket } = judged;
  const { text, files: mailed } = shorten(mail);
  const files = await deps.files.prepare(mailed, ticket.user_id);
  let status: MailOutcome["status"] | undefined;
  try {
    status = await deps.db.transaction().execute(async (trx) => {
      // The account first, as calls lock it: its deletion deletes its mails, too.
      const user = await lockUser(trx, ticket.user_id);
      if (user === undefined || user.deleted_at !== null) throw new DomainError("not_found");
      if (!(await holdMail(trx, id))) return undefined;
      await holdTicketMails(trx, ticket.id);
      const outcome = await take(deps, trx, { ticket, mail, text, files });
      await finishMail(trx, id, { ...outcome, ticketId: ticket.id, head }, deps.clock.now());
      return outcome.status;
    });
  } finally {
    if (status !== "added") await deps.files.discard(files);
  }
  if (status !== undefined) deps.count(status);
}

async function judge(
  { db, addresses, clock }: MailProcessingDeps,
  { recipient, sender, mail }: Arrived,
): Promise<{ readonly ticket: Ticket } | MailOutcome> {
  // A program's mail is never answered, whatever sender it names.
  const automatic = isAutomatic(sender, mail.headers);
  const number = addresses.numberIn(recipient);
  const named = number === null ? undefined : await selectTicketByNumber(db, number);
  const isSigned =
    number !== null &&
    named !== undefined &&
    addresses.isSigned(recipient, { id: named.id, number, userId: named.user_id });
  if (!isSigned) {
    return automatic
      ? { status: "ignored", reason: "automatic" }
      : { status: "quarantined", reason: "wrong_address" };
  }
  if (automatic) return { status: "ignored", reason: "automatic", ticketId: named.id };
  const isOwner = mail.from.length === 1 && mail.from[0] === named.email_key;
  if (!isOwner) return { status: "quarantined", reason: "wrong_sender", ticketId: named.id };
  const since = new Date(clock.now().getTime() - 3_600_000);
  const { taken } = await countMailsOf(db, named.id, since);
  // Looked at again when it is added; here so that the files of a flood are not touched.
  if (taken >= takenPerHourMax) return { ...flooded, ticketId: named.id };
  return { ticket: named };
}

const flooded = { status: "quarantined", reason: "too_many" } as const;
const textFileName = "message.txt";

/** A text that is too long for a message goes along as a file, whole. */
export function shorten({
  text,
  files,
}: Pick<ReadMail, "text" | "files">): Pick<ReadMail, "text" | "files"> {
  if (text.length <= messageCharactersMax) return { text, files };
  const note = `\n\n[… ${textFileName}]`;
  const content = Buffer.from(text);
  return {
    text: text.slice(0, messageCharactersMax - note.length).toWellFormed() + note,
    files: [{ name: textFileName, content }, ...files],
  };
}

/** Adds the message, or tells the customer why not. */
async function take(
  deps: MailProcessingDeps,
  trx: Trx,
  work: {
    readonly ticket: Ticket;
    readonly mail: ReadMail;
    readonly text: string;
    readonly files: PreparedMailFiles;
  },
): Promise<MailOutcome> {
  const { ticket, mail, text, files } = work;
  const now = deps.clock.now();
  const { taken } = await countMailsOf(trx, ticket.id, new Date(now.getTime() - 3_600_000));
  if (taken >= takenPerHourMax) return flooded;
  const refuse = async (reason: Exclude<AnswerReason, "files">): Promise<MailOutcome> => {
    const wasAnswered = await answer(deps, trx, { ticket, mail, reason, refused: files.refused });
    return { status: "refused", reason, wasAnswered };
  };
  if (text === "" && files.kept.length === 0) return refuse("empty");
  try {
    const { id: messageId } = await withSavepoint(trx, () =>
      deps.addReply(trx, {
        ticketId: ticket.merged_into ?? ticket.id,
        userId: ticket.user_id,
        text,
        files: files.kept,
        now,
      }),
    );
    const wasAnswered =
      files.refused.length > 0 &&
      (await answer(deps, trx, { ticket, mail, reason: "files", refused: files.refused }));
    return { status: "added", messageId, wasAnswered };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "ticket_closed") return refuse("ticket_closed");
    if (error.code === "attachment_quota") return refuse("quota");
    throw error;
  }
}

async function answer(
  { mails, clock }: MailProcessingDeps,
  trx: Trx,
  about: {
    readonly ticket: Ticket;
    readonly mail: ReadMail;
    readonly reason: AnswerReason;
    readonly refused: readonly string[];
  },
): Promise<boolean> {
  const { ticket, mail, reason, refused } = about;
  const since = new Date(clock.now().getTime() - 3_600_000);
  const { answered } = await countMailsOf(trx, ticket.id, since);
  if (answered >= answersPerHourMax) return false;
  await mails.answer(trx, { ticketId: ticket.id, reason, refused, mailId: mail.mailId });
  return true;
}

async function finish(
  { db, clock, count, addNote }: MailProcessingDeps,
  id: string,
  outcome: MailOutcome,
  mail?: ReadMail,
): Promise<void> {
  const now = clock.now();
  const isDone = await db.transaction().execute(async (trx) => {
    if (!(await holdMail(trx, id))) return false;
    const { ticketId, reason } = outcome;
    if (mail !== undefined && ticketId !== undefined && reason === "wrong_sender") {
      const { foreign } = await countMailsOf(trx, ticketId, new Date(now.getTime() - 3_600_000));
      if (foreign < notesPerHourMax) await addNote(trx, { ticketId, text: noteOn(mail), now });
    }
    await finishMail(trx, id, outcome, now);
    return true;
  });
  if (isDone) count(outcome.status);
}

/** For staff: the mail may be the customer's, from another address of theirs. */
function noteOn({ from, subject, text }: ReadMail): string {
  const sender = from.length === 0 ? "an unknown sender" : from.slice(0, 3).join(", ");
  const note = `A mail from ${sender} was not added, because it is not from the e-mail address of this account.\n\nSubject: ${subject}\n\n${text}`;
  return note.replaceAll("\0", "").slice(0, messageCharactersMax).toWellFormed();
}
