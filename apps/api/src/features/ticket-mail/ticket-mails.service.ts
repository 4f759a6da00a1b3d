import { reopenDays } from "@palisade/contract/http/tickets";
import type { Trx } from "#src/platform/database/db.ts";
import type { Mailer, MailValues } from "#src/platform/mail/mailer.ts";
import { selectMailIds } from "./inbound-mails.repository.ts";
import type { ReplyAddresses } from "./reply-address.ts";
import type { ticketMailTemplates } from "./ticket-mail-templates.ts";
import { selectAnswer, selectFileNames, selectTicketToMail } from "./ticket-mails.repository.ts";

/** The reason for a mail to customers about a mail of theirs. */
export type AnswerReason = "ticket_closed" | "empty" | "quota" | "files";

/** Mails to customers about their tickets. They leave when the transaction commits. */
export interface TicketMails {
  /** After staff wrote a message; does nothing for a note, or for a message of the customer. */
  messageAdded(trx: Trx, messageId: string): Promise<void>;
  /** After the status of a ticket changed; does nothing unless it is resolved or closed. */
  statusChanged(trx: Trx, ticketId: string): Promise<void>;
  /** Tells a customer what became of their mail. */
  answer(
    trx: Trx,
    about: {
      readonly ticketId: string;
      readonly reason: AnswerReason;
      /** Names of the files that were not added. */
      readonly refused: readonly string[];
      readonly mailId: string | null;
    },
  ): Promise<void>;
}

export interface TicketMailsDeps {
  readonly mailer: Mailer;
  /** Undefined: tickets are answered in the console alone. */
  readonly addresses: ReplyAddresses | undefined;
}

type Ticket = NonNullable<Awaited<ReturnType<typeof selectTicketToMail>>>;

export function createTicketMails({ mailer, addresses }: TicketMailsDeps): TicketMails {
  const send = (
    trx: Trx,
    ticket: Ticket,
    template: keyof typeof ticketMailTemplates,
    values: MailValues,
  ) =>
    mailer.enqueue(trx, {
      to: ticket.email,
      locale: ticket.locale,
      template,
      values: { ...valuesOf(ticket, addresses), ...values },
    });
  return {
    async messageAdded(trx, messageId) {
      const message = await selectAnswer(trx, messageId);
      if (message === undefined) return;
      const ticket = await selectTicketToMail(trx, message.ticket_id);
      if (ticket === undefined || !wantsMails(ticket)) return;
      const files = await selectFileNames(trx, messageId);
      await send(trx, ticket, "tickets.answered", {
        text: message.body,
        files: JSON.stringify(files),
        mailIds: JSON.stringify(await selectMailIds(trx, ticket.id)),
      });
    },
    async statusChanged(trx, ticketId) {
      const ticket = await selectTicketToMail(trx, ticketId);
      if (ticket === undefined || ticket.merged_into !== null || !wantsMails(ticket)) return;
      const { status } = ticket;
      if (status !== "resolved" && status !== "closed") return;
      await send(trx, ticket, `tickets.${status}`, {
        until: status === "closed" ? reopenUntil(ticket.closed_at) : "",
        mailIds: JSON.stringify(await selectMailIds(trx, ticket.id)),
      });
    },
    async answer(trx, { ticketId, reason, refused, mailId }) {
      const ticket = await selectTicketToMail(trx, ticketId);
      if (ticket === undefined) return;
      await send(trx, ticket, `tickets.mail-${reason}`, {
        files: JSON.stringify(refused),
        mailIds: JSON.stringify(mailId === null ? [] : [mailId]),
      });
    },
  };
}

/** Until users choose, they get mails. */
function wantsMails({ email_notifications: chosen }: Ticket): boolean {
  return chosen ?? true;
}

function reopenUntil(closedAt: Date | null): string {
  return closedAt === null
    ? ""
    : new Date(closedAt.getTime() + reopenDays * 86_400_000).toISOString();
}

function valuesOf(ticket: Ticket, addresses: ReplyAddresses | undefined): MailValues {
  const number = Number(ticket.number);
  return {
    ticketId: ticket.id,
    number: ticket.number,
    subject: ticket.subject,
    replyTo: addresses?.of({ id: ticket.id, number, userId: ticket.user_id }) ?? "",
  };
}
