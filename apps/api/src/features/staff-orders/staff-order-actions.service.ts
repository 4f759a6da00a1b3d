import { lockBalance, post, reverse } from "#src/features/ledger/ledger.service.ts";
import { describeTxn } from "#src/features/ledger/txn-description.service.ts";
import {
  requireResolvable,
  resolutions,
  resolve,
} from "#src/features/payments/quarantine.service.ts";
import { payerOf, refundByStaff } from "#src/features/payments/staff-refunds.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { z } from "zod";
import type { StaffOrderRow } from "./staff-orders.repository.ts";

const uuid = z.uuid();

/**
 * The orders of staff about money:
 *
 * - `adjust` cash into an account, or out of it below 0
 * - `reverse` a txn is moved back; both stay in the ledger
 * - `refund` the provider sends a top-up back, or a part of it
 * - `quarantine` a payment that does not match its intent is resolved
 */
const content = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("adjust"),
    details: z.object({ userId: uuid, cents: z.int() }),
  }),
  z.object({ kind: z.literal("reverse"), details: z.object({ businessKey: z.string().min(1) }) }),
  z.object({
    kind: z.literal("refund"),
    details: z.object({ intentId: uuid, cents: z.int().positive() }),
  }),
  z.object({
    kind: z.literal("quarantine"),
    details: z.object({ caseId: uuid, resolution: z.enum(resolutions) }),
  }),
]);

export type StaffOrderContent = z.infer<typeof content>;

/** The content of a stored order. */
export function contentOf({ kind, details }: StaffOrderRow): StaffOrderContent {
  return content.parse({ kind, details });
}

/**
 * The user whose money an order moves, and how many cents: the size that the limit for a second staff
 * member is compared with.
 *
 * @throws DomainError if it cannot be carried out as things are now
 */
export async function prepareOrder(
  trx: Trx,
  order: StaffOrderContent,
): Promise<{ readonly userId: string | null; readonly cents: number }> {
  switch (order.kind) {
    case "adjust":
      return { userId: order.details.userId, cents: Math.abs(order.details.cents) };
    case "reverse": {
      const txn = await describeTxn(trx, order.details.businessKey);
      if (txn === undefined) throw new DomainError("not_found");
      return txn;
    }
    case "refund": {
      const payer = await payerOf(trx, order.details.intentId);
      if (payer === undefined) throw new DomainError("not_found");
      return { userId: payer.userId, cents: order.details.cents };
    }
    case "quarantine": {
      const { caseId, resolution } = order.details;
      const found = await requireResolvable(trx, caseId, resolution);
      // A foreign currency counts by its number: the limit errs towards a second person.
      return { userId: found.user_id, cents: Math.abs(found.amountCents) };
    }
  }
}

/** @throws DomainError `insufficient_funds`, `not_found`, `conflict` */
export async function performOrder(
  trx: Trx,
  order: {
    readonly id: string;
    readonly content: StaffOrderContent;
    readonly reason: string;
    readonly by: string;
    readonly at: Date;
  },
): Promise<void> {
  const { id, reason, by, at } = order;
  switch (order.content.kind) {
    case "adjust": {
      const { userId, cents } = order.content.details;
      const { cashCents } = await lockBalance(trx, userId);
      if (cents < 0 && cashCents + cents < 0) throw new DomainError("insufficient_funds");
      await post(trx, {
        kind: "adjustment",
        businessKey: `staff-order:${id}`,
        note: reason,
        at,
        postings: [
          { kind: "cash", userId, cents },
          { kind: "adjustments", cents: -cents },
        ],
      });
      return;
    }
    case "reverse": {
      const { businessKey } = order.content.details;
      const posted = await reverse(trx, { businessKey, note: reason, at });
      if (posted === null) throw new DomainError("not_found");
      if (!posted.isNew) throw new DomainError("conflict");
      return;
    }
    case "refund": {
      const { intentId, cents } = order.content.details;
      await refundByStaff(trx, {
        intentId,
        cents,
        reason,
        requestKey: `staff-order:${id}`,
        now: at,
      });
      return;
    }
    case "quarantine": {
      const { caseId, resolution } = order.content.details;
      return resolve(trx, { id: caseId, resolution, by, reason, at });
    }
  }
}
