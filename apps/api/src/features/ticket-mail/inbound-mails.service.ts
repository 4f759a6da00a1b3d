import { createHash } from "node:crypto";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import type { InboundMailsTable } from "#src/schema/inbound-mails.ts";
import {
  countMailsTo,
  deleteMailsOf,
  insertMail,
  selectTicketByNumber,
} from "./inbound-mails.repository.ts";
import type { ReplyAddresses } from "./reply-address.ts";

export interface ArrivedMail {
  readonly via: InboundMailsTable["via"];
  /** The reply address that it was sent to. */
  readonly recipient: string;
  /** The sender in the envelope; empty for bounces. */
  readonly sender: string;
  readonly source: Buffer;
}

/** Takes mails in. They are read later, by a job. */
export interface InboundMails {
  /** Decides what the sender's server is told about a receiver. */
  judgeRecipient(address: string): Promise<"take" | "unknown" | "later">;
  /**
   * Keeps a mail. Once this is done, the mail will be processed, whatever crashes.
   *
   * @returns false for a mail that came before
   */
  keep(mail: ArrivedMail): Promise<boolean>;
}

export interface InboundMailsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly addresses: ReplyAddresses;
}

export const processJobName = "ticket-mail.process";

/** Mails of a ticket and hour that are kept at all, added or not. */
const keptPerHourMax = 120;

export function createInboundMails(deps: InboundMailsDeps): InboundMails {
  const { db, clock, jobs, addresses } = deps;
  return {
    async judgeRecipient(address) {
      const number = addresses.numberIn(address);
      if (number === null) return "unknown";
      const ticket = await selectTicketByNumber(db, number);
      if (ticket === undefined) return "unknown";
      const signed = { id: ticket.id, number, userId: ticket.user_id };
      if (!addresses.isSigned(address, signed)) return "unknown";
      const since = new Date(clock.now().getTime() - 3_600_000);
      const kept = await countMailsTo(db, address.toLowerCase(), since);
      return kept >= keptPerHourMax ? "later" : "take";
    },
    keep(mail) {
      const id = newId();
      return db.transaction().execute(async (trx) => {
        const isNew = await insertMail(trx, {
          id,
          delivery_key: deliveryKey(mail),
          via: mail.via,
          recipient: mail.recipient.toLowerCase().slice(0, 320),
          sender: mail.sender.replaceAll("\0", "").slice(0, 320),
          source: mail.source,
          size_bytes: mail.source.length,
          received_at: clock.now(),
        });
        if (isNew) await jobs.send(trx, processJobName, { id });
        return isNew;
      });
    },
  };
}

const headBytesMax = 128 * 1024;

/** The same for each delivery of a mail: by its Message-ID, or by all of it where it has none. */
function deliveryKey({ recipient, source }: ArrivedMail): string {
  const head = source.toString("latin1", 0, Math.min(source.length, headBytesMax));
  const end = /\r?\n\r?\n/.exec(head)?.index ?? head.length;
  const id = /^message-id:[ \t]*(?:\r?\n[ \t]+)?(<[^<>\s]{1,900}>)[ \t]*\r?$/im.exec(
    head.slice(0, end),
  )?.[1];
  const hash = createHash("sha256").update(`${recipient.toLowerCase()}\n`);
  return (id === undefined ? hash.update(source) : hash.update(id)).digest("base64url");
}

/** Forgets the mails of a deleted account, those in quarantine as well. */
export async function forgetInboundMails(trx: Trx, userId: string): Promise<void> {
  await deleteMailsOf(trx, userId);
}
