import type { quarantineResolutions } from "@palisade/contract/http/staff-books";
import { credit } from "#src/features/ledger/ledger.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { clearing } from "./clearing.ts";
import { endReview, type IntentRow } from "./intents.repository.ts";
import type { ProviderName } from "#src/schema/payments.ts";
import type { ProviderRecord, ProviderReversal, StrayPayment } from "./payment-provider.ts";
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
  const { amountCents: cents, currency, account } = record;
  const { id: intentId, user_id: userId, provider, reference } = intent;
  await keep(trx, { provider, reference, cents, currency, account, reason, at, intentId, userId });
}

/**
 * Keeps a payment that no intent of this installation was ordered for.
 *
 * @returns false if staff know of it already
 */
export function quarantineStray(
  db: Executor,
  provider: ProviderName,
  { reference, record }: StrayPayment,
  at: Date,
): Promise<boolean> {
  const { amountCents: cents, currency, account } = record;
  return keep(db, {
    provider,
    reference,
    cents,
    currency,
    account,
    at,
    reason: "this installation ordered no such payment",
    intentId: null,
    userId: null,
  });
}

/**
 * Keeps a refund or dispute that does not match its payment. Its amount is below 0, because the money
 * has left: it cannot be credited.
 *
 * @returns false if staff know of it already
 */
export function quarantineReversal(
  db: Executor,
  found: {
    readonly intent: IntentRow;
    readonly reversal: ProviderReversal;
    readonly account: string;
    readonly reason: string;
    readonly at: Date;
  },
): Promise<boolean> {
  const { intent, reversal, account, reason, at } = found;
  const { id: reference, amountCents, currency } = reversal;
  const { id: intentId, user_id: userId, provider } = intent;
  const cents = 0 - Math.abs(amountCents);
  return keep(db, { provider, reference, cents, currency, account, reason, at, intentId, userId });
}

interface Finding {
  readonly provider: ProviderName;
  readonly reference: string;
  readonly cents: number;
  readonly currency: string;
  readonly account: string;
  readonly reason: string;
  readonly at: Date;
  readonly intentId: string | null;
  readonly userId: string | null;
}

function keep(db: Executor, found: Finding): Promise<boolean> {
  return insertCase(db, {
    id: newId(),
    provider: found.provider,
    reference: found.reference,
    intent_id: found.intentId,
    user_id: found.userId,
    reason: found.reason,
    amount_cents: found.cents,
    currency: found.currency,
    account: found.account,
    found_at: found.at,
    resolved_by: null,
    resolved_at: null,
    resolution_reason: null,
  });
}

export const listQuarantine = (db: Executor) => selectOpenCases(db);

export { quarantineResolutions as resolutions } from "@palisade/contract/http/staff-books";
export type Resolution = (typeof quarantineResolutions)[number];

/** A payer is known, and the money came in the currency of the ledger. */
export function isCreditable(
  found: Pick<QuarantineRow, "user_id" | "currency" | "amountCents">,
): boolean {
  return found.user_id !== null && found.currency === "EUR" && found.amountCents > 0;
}

/** @throws DomainError `not_found`, or `conflict` if it is resolved or cannot be credited */
export async function requireResolvable(
  trx: Trx,
  id: string,
  resolution: Resolution,
): Promise<QuarantineRow> {
  const found = await lockCase(trx, id);
  if (found === undefined) throw new DomainError("not_found");
  if (found.status !== "open") throw new DomainError("conflict");
  if (resolution === "credit" && !isCreditable(found)) throw new DomainError("conflict");
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
