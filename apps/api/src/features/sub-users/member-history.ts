import type { MemberRole, Rights } from "@palisade/contract/http/member-rights";
import type { Trx } from "#src/platform/database/db.ts";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";

interface MemberChange {
  /** Masked: the history outlives invitations and accounts. */
  readonly item: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Records who else has access, in the history of the shield. */
export function recordMember(
  trx: Trx,
  moment: { readonly shieldId: string; readonly now: Date },
  field: "member" | "invitation",
  change: MemberChange,
): Promise<void> {
  return recordChange(trx, moment, "members", [{ field, ...change }]);
}

/** A role by its name; own rights by area and level. */
export function roleInWords(role: MemberRole, rights: Rights | null): string {
  if (role !== "custom" || rights === null) return role;
  const levels = Object.entries(rights).filter(([, level]) => level !== "none");
  return `custom (${levels.map(([area, level]) => `${area}: ${level}`).join(", ")})`;
}
