import { draftOf } from "../drafts.ts";
import type { SupportSearch } from "../support-search.ts";

/** The fields of the form as typed. */
export interface TicketValues extends Record<string, string> {
  readonly category: string;
  readonly severity: string;
  readonly subject: string;
  readonly message: string;
  readonly server_id: string;
  /** `yes` or empty. */
  readonly with_snapshot: string;
  /** The link that led to the form. */
  readonly link: string;
}

const emptyValues: TicketValues = {
  category: "",
  severity: "",
  subject: "",
  message: "",
  server_id: "",
  with_snapshot: "",
  link: "",
};

export const ticketDraft = draftOf("ticket_draft", emptyValues);

/** The parts of the ticket that a link fills in, as one text. */
export function linkOf({ new: category, subject, server }: SupportSearch): string {
  return JSON.stringify([category, subject, server]);
}

/**
 * The kept draft, with what the link to the form says in place of the draft's own. After a reload the
 * link is the same, and what was changed since stays.
 */
export function initialValues(owner: string, search: SupportSearch): TicketValues {
  const kept = ticketDraft.read(owner);
  const link = linkOf(search);
  if (kept.link === link) return kept;
  const category = search.new === "any" ? undefined : search.new;
  return {
    ...kept,
    link,
    category: category ?? kept.category,
    subject: search.subject ?? kept.subject,
    server_id: search.server ?? kept.server_id,
    with_snapshot: search.server === undefined ? kept.with_snapshot : "yes",
  };
}
