import type { Trx } from "./db.ts";

const ownLocks = new WeakMap<Trx, () => Promise<void>>();

/**
 * Names the lock that `trx` takes at its end for its account alone: the head of the account's
 * record. Rows come before it, and what everybody queues for comes after it.
 */
export function declareOwnLock(trx: Trx, take: () => Promise<void>): void {
  ownLocks.set(trx, take);
}

/**
 * Takes the lock declared for `trx`, if any. Call it before a lock that all accounts share: a call
 * that waits for its own busy account then keeps no other account waiting.
 */
export async function takeOwnLock(trx: Trx): Promise<void> {
  await ownLocks.get(trx)?.();
}
