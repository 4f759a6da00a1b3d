import {
  attackSharesMax,
  type AttackShare,
  type SharedAttack,
} from "@palisade/contract/http/attacks";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { newToken, tokenPrefixes } from "#src/platform/security/tokens.ts";
import { readSharedReport } from "./attack-page.service.ts";
import { selectAttack } from "./attack-page.repository.ts";
import {
  deleteShare,
  holdAttack,
  insertShare,
  selectSharedAttack,
  selectShares,
} from "./attack-shares.repository.ts";

const dayMs = 86_400_000;

interface AttackOf {
  readonly shieldId: string;
  readonly attackId: string;
}

export async function listShares(db: Executor, of: AttackOf, now: Date): Promise<AttackShare[]> {
  if ((await selectAttack(db, of.shieldId, of.attackId)) === undefined) {
    throw new DomainError("not_found");
  }
  return (await selectShares(db, of.attackId, now)).map(presentShare);
}

/** @throws DomainError `not_found`, `list_full` */
export async function shareAttack(
  trx: Trx,
  of: AttackOf,
  { days, now }: { readonly days: number; readonly now: Date },
): Promise<{ readonly share: AttackShare; readonly token: string }> {
  if (!(await holdAttack(trx, of))) throw new DomainError("not_found");
  const known = await selectShares(trx, of.attackId, now);
  if (known.length >= attackSharesMax) throw new DomainError("list_full", { text: "shares.full" });
  const token = newToken(tokenPrefixes.attackShare);
  const row = await insertShare(trx, {
    id: newId(),
    attackId: of.attackId,
    token,
    createdAt: now,
    expiresAt: new Date(now.getTime() + days * dayMs),
  });
  return { share: presentShare(row), token };
}

/** @throws DomainError `not_found` */
export async function revokeShare(
  trx: Trx,
  of: AttackOf & { readonly shareId: string },
): Promise<void> {
  if (!(await deleteShare(trx, of))) throw new DomainError("not_found");
}

/** @throws DomainError `not_found` for a token that is wrong, revoked or has ended */
export async function readShared(
  db: Db,
  token: string,
  now: Date,
): Promise<{ readonly attack: SharedAttack; readonly expires_at: string }> {
  const found = await selectSharedAttack(db, token, now);
  if (found === undefined) throw new DomainError("not_found", { text: "share.invalid" });
  const attack = await readSharedReport(db, found, now);
  return { attack, expires_at: found.expires_at.toISOString() };
}

function presentShare(row: Awaited<ReturnType<typeof selectShares>>[number]): AttackShare {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
