import { toPage } from "@palisade/contract/http/paging";
import {
  shownMailCharactersMax,
  type QuarantinedMailDetail,
} from "@palisade/contract/http/staff-mails";
import { tidyLine, tidyText } from "@palisade/contract/http/tidy-line";
import { lockUser } from "#src/features/users/users.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { shorten, type MailedReply } from "./mail-processing.service.ts";
import type { MailedFiles, PreparedMailFiles } from "./mailed-files.ts";
import { presentQuarantined } from "./quarantine.presenter.ts";
import {
  countQuarantined,
  endQuarantine,
  selectQuarantined,
  selectQuarantinedMail,
  setMessage,
} from "./quarantine.repository.ts";
import type { MailReading } from "./reading/mail-reading.ts";
import { MailUnreadable, type ReadMail } from "./reading/read-mail.ts";

export interface QuarantineDeps {
  readonly db: Db;
  readonly reading: Pick<MailReading, "read">;
  readonly files: MailedFiles;
  /**
   * Adds the message to the ticket.
   *
   * @throws DomainError `ticket_closed`, `attachment_quota`
   */
  readonly addReply: (trx: Trx, reply: MailedReply) => Promise<{ readonly id: string }>;
}

export async function listQuarantine(
  db: Db,
  { page: asked, per_page: limit }: { readonly page: number; readonly per_page: number },
) {
  const total = await countQuarantined(db);
  // A page beyond the last is the last: mails may have been settled since it was asked for.
  const page = Math.min(asked, Math.max(1, Math.ceil(total / limit)));
  const rows = await selectQuarantined(db, { limit, offset: (page - 1) * limit });
  return toPage(rows.map(presentQuarantined), page, limit, total);
}

/** @throws DomainError `not_found` */
export async function readQuarantined(
  { db, reading }: QuarantineDeps,
  id: string,
): Promise<QuarantinedMailDetail> {
  const row = await selectQuarantinedMail(db, id);
  if (row?.source == null) throw new DomainError("not_found");
  const mail = row.reason === "unreadable" ? null : await readOrNull(reading, row.source);
  // Characters have up to four bytes; a broken one at the end is cut off with the rest.
  const text = mail?.text ?? row.source.toString("utf8", 0, shownMailCharactersMax * 4);
  const tidied = tidyText(text.slice(0, shownMailCharactersMax).toWellFormed());
  return {
    ...presentQuarantined(row),
    text: tidied,
    is_raw: mail === null,
    is_cut: text.length > shownMailCharactersMax,
    files: (mail?.files ?? []).map(({ name, content }) => ({
      name: tidyLine(name),
      size_bytes: content?.length ?? null,
    })),
  };
}

interface AcceptOrder {
  readonly id: string;
  readonly now: Date;
  /** Runs the change in the transaction of the call. */
  readonly commit: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
}

/**
 * Adds a mail to its ticket as a message of the customer's, from whichever address it came: a member of
 * staff has looked at it.
 *
 * @returns names of the files that the rules refuse
 * @throws DomainError `not_found`; `conflict` where it is of no ticket, unreadable or empty;
 *   `ticket_closed`, `attachment_quota`
 */
export async function acceptQuarantined(
  { db, reading, files: mailedFiles, addReply }: QuarantineDeps,
  { id, now, commit }: AcceptOrder,
): Promise<readonly string[]> {
  const row = await selectQuarantinedMail(db, id);
  if (row?.source == null) throw new DomainError("not_found");
  const { ticket_id: ticketId, user_id: userId, merged_into: mergedInto } = row;
  if (ticketId === null || userId === null) {
    throw new DomainError("conflict", { text: "mail.no_ticket" });
  }
  const mail = row.reason === "unreadable" ? null : await readOrNull(reading, row.source);
  if (mail === null) throw new DomainError("conflict", { text: "mail.unreadable" });
  const { text, files: mailed } = shorten(mail);
  const files = await mailedFiles.prepare(mailed, userId);
  return discardUnless(mailedFiles, files, async () => {
    if (text === "" && files.kept.length === 0) {
      throw new DomainError("conflict", { text: "mail.empty" });
    }
    await commit(async (trx) => {
      // The account first, as calls lock it.
      const user = await lockUser(trx, userId);
      if (user === undefined || user.deleted_at !== null) throw new DomainError("not_found");
      if (!(await endQuarantine(trx, id, "added"))) throw new DomainError("not_found");
      const reply = { ticketId: mergedInto ?? ticketId, userId, text, files: files.kept, now };
      await setMessage(trx, id, (await addReply(trx, reply)).id);
    });
    return files.refused;
  });
}

/** @throws DomainError `not_found` */
export async function discardQuarantined(trx: Trx, id: string): Promise<void> {
  if (!(await endQuarantine(trx, id, "ignored"))) throw new DomainError("not_found");
}

async function readOrNull(
  reading: QuarantineDeps["reading"],
  source: Uint8Array,
): Promise<ReadMail | null> {
  try {
    return await reading.read(source);
  } catch (error) {
    if (error instanceof MailUnreadable) return null;
    throw error;
  }
}

async function discardUnless<T>(
  mailedFiles: MailedFiles,
  files: PreparedMailFiles,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await mailedFiles.discard(files);
    throw error;
  }
}
