import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { newId } from "#src/platform/database/ids.ts";
import { taxPrice } from "#src/features/vat/vat.service.ts";
import type { ChargedFor, TaxDecision } from "#src/schema/documents.ts";
import type { SystemAccountKind, TxnKind, UserAccountKind } from "#src/schema/ledger.ts";
import { documentKindOf } from "./document-kind.ts";
import { insertDocumentDue } from "./documents-due.repository.ts";
import {
  insertPostings,
  insertTxn,
  lockUserAccounts,
  markDebtAllowed,
  selectPostings,
  selectSystemAccount,
  selectUserAccounts,
  type PostingRow,
  type UserAccountRow,
} from "./ledger.repository.ts";
import { splitCharge, type Balance } from "./money.service.ts";

export type AccountRef =
  | { readonly kind: UserAccountKind; readonly userId: string }
  | { readonly kind: SystemAccountKind; readonly userId?: never };

/** Positive cents go into the account, negative cents leave it. */
export type Posting = AccountRef & { readonly cents: number };

export interface NewTxn {
  readonly kind: TxnKind;
  /** Identifies the reason of the txn among all kinds, e.g. `purchase:<shield>`. */
  readonly businessKey: string;
  readonly note?: string;
  readonly at: Date;
  /** Their sum is 0, which the database checks at commit; each account occurs at most once. */
  readonly postings: readonly Posting[];
  /** The decision about VAT, for the txn's document; without one the document has no VAT. */
  readonly tax?: TaxDecision;
  /** The business key of the txn that this one takes back, wholly or in part: a credit note names its document. */
  readonly corrects?: string;
  /** For the invoice. */
  readonly chargedFor?: ChargedFor;
}

/** `isNew` is false if the same was posted under this key before; then nothing moves. */
export interface Posted {
  readonly isNew: boolean;
}

/** The key was used for another movement. */
export class BusinessKeyTaken extends Error {
  override name = "BusinessKeyTaken";

  constructor(businessKey: string) {
    super(`${businessKey} was posted with other amounts or accounts`);
  }
}

/**
 * Moves money once per business key, however often it is repeated. The balances of the users
 * concerned stay locked until `trx` ends.
 *
 * @throws BusinessKeyTaken if the key was used for another movement
 */
export async function post(trx: Trx, txn: NewTxn): Promise<Posted> {
  const accountIds = await lockAccounts(trx, txn.postings);
  const id = newId();
  const isNew = await insertTxn(trx, { ...txn, id, note: txn.note ?? null });
  if (!isNew) {
    const before = await selectPostings(trx, txn.businessKey);
    if (fingerprint(before) !== fingerprint(txn.postings)) {
      throw new BusinessKeyTaken(txn.businessKey);
    }
    return { isNew: false };
  }
  const rows = txn.postings.map((posting) => {
    const accountId = accountIds.get(nameOf(posting));
    if (accountId === undefined) throw new Error(`There is no account ${nameOf(posting)}`);
    return { accountId, cents: posting.cents };
  });
  await insertPostings(trx, id, rows);
  await requestDocument(trx, id, txn);
  return { isNew: true };
}

/** In the same transaction, so that a txn without its document can always be found. */
async function requestDocument(trx: Trx, txnId: string, txn: NewTxn): Promise<void> {
  const kind = documentKindOf(txn.postings);
  const userId = txn.postings.find((posting) => posting.userId !== undefined)?.userId;
  if (kind === null || userId === undefined) return;
  const { tax = null, corrects: correctsKey = null, chargedFor = null, at } = txn;
  await insertDocumentDue(trx, { txnId, userId, kind, tax, correctsKey, chargedFor, at });
}

/**
 * Takes the net price of something from a user, with the VAT on it, cash first, then bonus.
 *
 * @throws DomainError `insufficient_funds`
 */
export async function charge(
  trx: Trx,
  order: {
    readonly userId: string;
    /** Without VAT. */
    readonly cents: number;
    readonly businessKey: string;
    readonly at: Date;
    readonly kind?: "purchase" | "renewal";
    /** The plan and time that it pays for, which the invoice names. */
    readonly period?: { readonly planId: string; readonly startsAt: Date; readonly endsAt: Date };
  },
): Promise<Posted> {
  const { userId, cents, businessKey, at, kind = "purchase", period } = order;
  requireAmount(cents);
  // Locked from here on: no other transaction can spend this balance.
  const balance = balanceFrom(await lockUserAccounts(trx, userId));
  const before = await selectPostings(trx, businessKey);
  if (before.length > 0) return requireSameCharge(before, order);
  const { grossCents, taxCents, decision } = await taxPrice(trx, { userId, netCents: cents, at });
  const split = splitCharge(balance, grossCents);
  if (split === null) throw new DomainError("insufficient_funds");
  const postings: Posting[] = [
    { kind: "cash", userId, cents: -split.cashCents },
    { kind: "bonus", userId, cents: -split.bonusCents },
    { kind: "revenue", cents },
    { kind: "vat_payable", cents: taxCents },
  ];
  return post(trx, {
    kind,
    businessKey,
    at,
    postings: postings.filter((posting) => posting.cents !== 0),
    tax: decision,
    ...(period && {
      chargedFor: {
        plan_id: period.planId,
        starts_at: period.startsAt.toISOString(),
        ends_at: period.endsAt.toISOString(),
      },
    }),
  });
}

/** Gives a user money from one of the system accounts. */
export async function credit(
  trx: Trx,
  order: Omit<NewTxn, "postings"> & {
    readonly userId: string;
    readonly cents: number;
    readonly to: UserAccountKind;
    readonly from: SystemAccountKind;
  },
): Promise<Posted> {
  const { userId, cents, to, from, ...txn } = order;
  requireAmount(cents);
  return post(trx, {
    ...txn,
    postings: [
      { kind: to, userId, cents },
      { kind: from, cents: -cents },
    ],
  });
}

/**
 * Lets a dispute take back money that the user has already spent: from now on the cash account may
 * fall below 0, and while it is below 0 the user can buy nothing.
 */
export async function allowDebt(trx: Trx, userId: string): Promise<void> {
  for (const { id, kind } of await lockUserAccounts(trx, userId)) {
    if (kind === "cash") await markDebtAllowed(trx, id);
  }
}

/** The user's balance; 0 before the first posting. */
export async function balanceOf(db: Executor, userId: string): Promise<Balance> {
  return balanceFrom(await selectUserAccounts(db, userId));
}

/** The same, locked: no other transaction changes it until `trx` ends. */
export async function lockBalance(trx: Trx, userId: string): Promise<Balance> {
  return balanceFrom(await lockUserAccounts(trx, userId));
}

function balanceFrom(accounts: readonly UserAccountRow[]): Balance {
  const centsOf = (kind: UserAccountKind): number =>
    accounts.find((account) => account.kind === kind)?.cents ?? 0;
  return { cashCents: centsOf("cash"), bonusCents: centsOf("bonus") };
}

/**
 * Moves back what a txn moved, once. The txn itself stays as it is.
 *
 * @returns the users concerned, or null if there is no such txn
 * @throws DomainError `conflict` if a provider's money moved, which only a refund moves back, and
 *   `insufficient_funds`
 */
export async function reverse(
  trx: Trx,
  order: { readonly businessKey: string; readonly note: string; readonly at: Date },
): Promise<Posted | null> {
  const before = await selectPostings(trx, order.businessKey);
  if (before.length === 0) return null;
  if (before.some(({ kind }) => kind.endsWith("_clearing"))) throw new DomainError("conflict");
  const postings = before.map(reversed);
  for (const userId of new Set(postings.flatMap((posting) => posting.userId ?? []))) {
    const { cashCents, bonusCents } = await lockBalance(trx, userId);
    const left = (kind: UserAccountKind, cents: number): number =>
      cents + (postings.find((each) => each.kind === kind && each.userId === userId)?.cents ?? 0);
    const isShort = left("cash", cashCents) < 0 || left("bonus", bonusCents) < 0;
    const isDone = (await selectPostings(trx, reversalKey(order.businessKey))).length > 0;
    if (isShort && !isDone) throw new DomainError("insufficient_funds");
  }
  return post(trx, {
    kind: "adjustment",
    businessKey: reversalKey(order.businessKey),
    note: order.note,
    at: order.at,
    corrects: order.businessKey,
    postings,
  });
}

const reversalKey = (businessKey: string): string => `reversal:${businessKey}`;

function reversed({ kind, userId, cents }: PostingRow): Posting {
  if (kind === "cash" || kind === "bonus") {
    if (userId === null) throw new Error(`A posting on ${kind} names no user`);
    return { kind, userId, cents: -cents };
  }
  return { kind, cents: -cents };
}

async function lockAccounts(
  trx: Trx,
  postings: readonly Posting[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  // By id, so that two txns between the same users lock them in the same order.
  const users = new Set(postings.flatMap(({ userId }) => userId ?? []));
  for (const userId of [...users].sort()) {
    for (const { id, kind } of await lockUserAccounts(trx, userId)) {
      ids.set(nameOf({ kind, userId }), id);
    }
  }
  for (const posting of postings) {
    if (posting.userId !== undefined) continue;
    ids.set(nameOf(posting), await selectSystemAccount(trx, posting.kind));
  }
  return ids;
}

function requireSameCharge(
  before: readonly PostingRow[],
  order: { readonly userId: string; readonly cents: number; readonly businessKey: string },
): Posted {
  // VAT may be another by now: the net price and its payer have to be the same.
  const sumOf = (ofCharge: (posting: PostingRow) => boolean): number =>
    before.filter(ofCharge).reduce((sum, { cents }) => sum + cents, 0);
  const tax = sumOf(({ kind }) => kind === "vat_payable");
  const paid = -sumOf(({ userId }) => userId === order.userId);
  if (paid - tax !== order.cents) throw new BusinessKeyTaken(order.businessKey);
  return { isNew: false };
}

/** A price or credit of 0 has no postings, so callers handle what is free themselves. */
function requireAmount(cents: number): void {
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new RangeError(`${cents} is no amount`);
}

function nameOf({ kind, userId }: { kind: string; userId?: string | null }): string {
  return `${kind} ${userId ?? ""}`;
}

function fingerprint(
  postings: readonly { kind: string; userId?: string | null; cents: number }[],
): string {
  return postings
    .map((posting) => `${nameOf(posting)} ${posting.cents}`)
    .sort()
    .join("\n");
}
