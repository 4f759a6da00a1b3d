import type { AuditEntry } from "@palisade/contract/http/audit";
import { renderText, type Locale } from "@palisade/contract/texts/render";
import type { AuditViewRow } from "./audit-view.repository.ts";

/** The account that the audit log belongs to. */
export interface Account {
  readonly userId: string;
  readonly email: string;
}

export function presentEntry(row: AuditViewRow, account: Account, locale: Locale): AuditEntry {
  return {
    id: row.id,
    actor: actorOf(row, account, locale),
    method: row.method,
    endpoint: row.endpoint,
    full_url: row.full_url,
    response_status: row.response_status,
    ip: row.ip,
    duration_ms: row.duration_ms,
    created_at: row.created_at.toISOString(),
  };
}

function actorOf(row: AuditViewRow, { userId, email }: Account, locale: Locale): string {
  // A login, or an attempt at one, that named this account.
  if (row.actor_kind === "anonymous") {
    return renderText(locale, "audit.actor.anonymous", { email });
  }
  if (row.actor_kind === "system") return renderText(locale, "audit.actor.operator");
  if (row.actor_kind === "edge") return renderText(locale, "audit.actor.edge");
  // The operator knows which staff member it was; the customer does not.
  if (row.actor_id !== userId) return renderText(locale, "audit.actor.support");
  if (row.credential?.startsWith("api-key:") !== true) return row.actor_email ?? "";
  return row.is_profile_key === true
    ? renderText(locale, "audit.actor.profile_key")
    : renderText(locale, "audit.actor.api_key", { name: row.key_name ?? "" });
}
