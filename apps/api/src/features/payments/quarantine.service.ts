import { credit } from "#src/features/ledger/ledger.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { clearing } from "./clearing.ts";
import { endReview, type IntentRow } from "./intents.repository.ts";
import type { ProviderRecord } from "./payment-provider.ts";
import {
  insertCase,
  lockCase,
  resolveCase,
  selectOpenCases,
  type QuarantineRow,
} from "./quarantine.repository.ts";

/** Keeps a payment that does not match its intent for staff. Nothing is credited. */
export async function quarantine(
  trx: Trx,
  found: {
    readonly intent: IntentRow;
    readonly record: ProviderRecord;
    readonly reason: string;
    readonly at: Date;
  },
): Promise<void> {
  const { intent, record, reason, at } = found;
  if (intent.reference === null) return;
  await insertCase(trx, {
    id: newId(),
    provider: intent.provider,
    reference: intent.reference,
    intent_id: intent.id,
    user_id: intent.user_id,
    reason,
    amount_cents: record.amountCents,
    currency: record.currency,
    account: record.account,
    found_at: at,
    resolved_by: null,
    resolved_at: null,
    resolution_reason: null,
  });
}

export const listQuarantine = (db: Executor) => selectOpenCases(db);

/**
 * How staff end a case:
 *
 * - `credit` the payer gets what the provider's record says, as an adjustment
 * - `returned` staff sent the money back at the provider
 * - `dismiss` there was no money of a payer, for example in a test of the operator's
 */
export const resolutions = ["credit", "returned", "dismiss"] as const;
export type Resolution = (typeof resolutions)[number];

/** @throws DomainError `not_found`, or `conflict` if it is resolved or cannot be credited */
export async function requireResolvable(
  trx: Trx,
  id: string,
  resolution: Resolution,
): Promise<QuarantineRow> {
  const found = await lockCase(trx, id);
  if (found === undefined) throw new DomainError("not_found");
  if (found.status !== "open") throw new DomainError("conflict");
  const isCreditable = found.user_id !== null && found.currency === "EUR" && found.amountCents > 0;
  if (resolution === "credit" && !isCreditable) throw new DomainError("conflict");
  return found;
}

/** @throws DomainError as `requireResolvable` */
export async function resolve(
  trx: Trx,
  order: {
    readonly id: string;
    readonly resolution: Resolution;
    readonly by: string;
    readonly reason: string;
    readonly at: Date;
  },
): Promise<void> {
  const { id, resolution, by, reason, at } = order;
  const found = await requireResolvable(trx, id, resolution);
  if (resolution === "credit" && found.user_id !== null) {
    await credit(trx, {
      kind: "adjustment",
      from: clearing[found.provider],
      to: "cash",
      userId: found.user_id,
      cents: found.amountCents,
      businessKey: `quarantine:${id}`,
      note: reason,
      at,
    });
  }
  if (found.intent_id !== null) await endReview(trx, found.intent_id, at);
  const status = ({ credit: "credited", returned: "returned", dismiss: "dismissed" } as const)[
    resolution
  ];
  await resolveCase(trx, id, { status, by, at, reason });
}
