import { lockBalance, post } from "#src/features/ledger/ledger.service.ts";
import { readCents } from "#src/features/ledger/money.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { JobDefinition, Jobs } from "#src/platform/jobs/jobs.ts";
import type { Logger } from "pino";
import { z } from "zod";
import { clearing } from "./clearing.ts";
import { lockIntent, selectIntent } from "./intents.repository.ts";
import { RefundRefused, type PaymentProviders } from "./payment-provider.ts";
import {
  failRefund,
  insertRefund,
  markOrdered,
  postponeRefund,
  selectRefund,
  selectRefundByKey,
  sumRefunds,
  takeDueRefunds,
  type RefundRow,
} from "./refunds.repository.ts";
import { refundKeyOf, refundRetryMs, requireRefundable } from "./refunds.policy.ts";
import { giveBack } from "./reversals.service.ts";
import { topUpKeyOf } from "./settlement.policy.ts";

const jobName = "payments.refund";
const jobData = z.object({ id: z.uuid() });

export interface RefundRequest {
  readonly intentId: string;
  readonly cents: number;
  readonly reason: string;
  /** A repeated key is the same refund. */
  readonly requestKey: string;
  readonly now: Date;
}

/**
 * Takes the cents from the payer's cash, and has the provider send them back once `trx` is
 * committed. The call belongs to staff; bonus stays, because it was never paid.
 *
 * @returns the refund's id
 * @throws DomainError `not_found`, `conflict` if the payment has not so much left, or the key stands
 *   for another refund, `insufficient_funds` if the cash has been spent
 */
export async function requestRefund(trx: Trx, jobs: Jobs, order: RefundRequest): Promise<string> {
  const { intentId, cents, reason, requestKey, now } = order;
  if ((await selectIntent(trx, intentId)) === undefined) throw new DomainError("not_found");
  const intent = await lockIntent(trx, intentId);
  const before = await selectRefundByKey(trx, requestKey);
  if (before !== undefined) {
    const isSame = before.intent_id === intentId && readCents(before.cents) === cents;
    if (!isSame) throw new DomainError("conflict");
    return before.id;
  }
  requireRefundable(intent, cents, await sumRefunds(trx, intentId));
  const id = newId();
  await insertRefund(trx, {
    id,
    intent_id: intentId,
    cents,
    request_key: requestKey,
    reason,
    status: "requested",
    failure: null,
    created_at: now,
    next_try_at: now,
  });
  await requireCash(trx, intent.user_id, cents);
  await post(trx, {
    kind: "refund",
    businessKey: refundKeyOf(id),
    note: reason,
    at: now,
    corrects: topUpKeyOf(intentId),
    postings: [
      { kind: "cash", userId: intent.user_id, cents: -cents },
      { kind: clearing[intent.provider], cents },
    ],
  });
  await jobs.send(trx, jobName, { id });
  return id;
}

/** @throws DomainError `insufficient_funds` */
async function requireCash(trx: Trx, userId: string, cents: number): Promise<void> {
  if ((await lockBalance(trx, userId)).cashCents < cents) {
    throw new DomainError("insufficient_funds");
  }
}

export interface RefundDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly providers: PaymentProviders;
  readonly failpoint: Failpoint;
  readonly log: Logger;
}

/** Orders one refund at its provider. It may run again, or at the same time in another process. */
export type OrderRefund = (id: string) => Promise<void>;

export function createRefundOrdering(deps: RefundDeps): OrderRefund {
  const { db, clock, providers, failpoint, log } = deps;
  return async (id) => {
    const refund = await selectRefund(db, id);
    if (refund?.status !== "requested" || refund.reference === null) return;
    const provider = providers.named(refund.provider);
    if (provider?.refund === undefined || provider.account !== refund.provider_account) {
      throw new Error(`${refund.provider} cannot refund here`);
    }
    const cents = readCents(refund.cents);
    try {
      await provider.refund({ refundId: id, reference: refund.reference, amountCents: cents });
    } catch (error) {
      if (!(error instanceof RefundRefused)) throw error;
      log.error({ refund: id, reason: error.message }, "A refund was refused; the cash is back");
      await db.transaction().execute((trx) => undo(trx, refund, error.message, clock.now()));
      return;
    }
    failpoint("refund-ordered");
    await markOrdered(db, id);
  };
}

/** The cash returns, unless the provider's record has returned it already. */
async function undo(trx: Trx, refund: RefundRow, failure: string, at: Date): Promise<void> {
  await lockIntent(trx, refund.intent_id);
  if (!(await failRefund(trx, refund.id, failure))) return;
  await giveBack(trx, refund, {
    kind: "refund",
    businessKey: refundKeyOf(refund.id),
    cents: readCents(refund.cents),
    at,
  });
}

/** The job tries for about half an hour; after that the schedule of `refundRetryJob` does. */
export function refundJob(orderRefund: OrderRefund): JobDefinition<object> {
  return {
    name: jobName,
    retryLimit: 10,
    retryDelaySeconds: 2,
    run: (data) => orderRefund(jobData.parse(data).id),
  };
}

/** Bounds one run when there is a backlog. */
const perRunMax = 50;

export function refundRetryJob(
  { db, clock, log }: RefundDeps,
  orderRefund: OrderRefund,
): JobDefinition<object> {
  return {
    name: "payments.refund-retry",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "* * * * *",
    async run() {
      for (const { id, tries } of await takeDueRefunds(db, clock.now(), perRunMax)) {
        const nextAt = new Date(clock.now().getTime() + refundRetryMs(tries));
        await postponeRefund(db, id, { tries: tries + 1, nextAt });
        await orderRefund(id).catch((error: unknown) =>
          log.warn({ err: error, refund: id }, "A refund could not be ordered yet"),
        );
      }
    },
  };
}
