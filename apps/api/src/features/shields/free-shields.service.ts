import type { Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { countFreeShields } from "./shields.repository.ts";

/** Shields on free plans per account, so that an account cannot hoard labels. */
export const freeShieldsMax = 20;

/** @throws DomainError `plan_unavailable` where the account has as many free shields as it may have */
export async function requireFreePlace(trx: Trx, userId: string): Promise<void> {
  if ((await countFreeShields(trx, userId)) < freeShieldsMax) return;
  throw new DomainError("plan_unavailable", { text: "shield.free_limit" });
}
