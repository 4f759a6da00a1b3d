import { domainUndoSeconds, type updateDomainBody } from "@palisade/contract/http/domains";
import type { z } from "zod";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import { newId } from "#src/platform/database/ids.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { checkDomain, type DomainCheck } from "./domain-check.service.ts";
import { proofOf, provenName } from "./domain-proof.ts";
import { setSeen } from "./domain-watch.repository.ts";
import {
  hasProven,
  lockName,
  lockShields,
  mayMove,
  removeProofs,
  selectHolder,
  selectProof,
} from "./domains.repository.ts";
import {
  inUse,
  isLost,
  nextLookAt,
  proofsSince,
  readClaim,
  rememberProof,
  type DomainsDeps,
} from "./domains.service.ts";
import { presentDomain, presentRecords } from "./shield-domains.presenter.ts";
import {
  countDomains,
  deleteDomain,
  insertDomain,
  selectClaimant,
  selectDomain,
  selectDomains,
  selectGroup,
  selectMinecraftGroups,
  selectNamed,
  updateDomain,
} from "./shield-domains.repository.ts";

/** One domain of a shield, as a caller names it. */
interface Named {
  readonly shieldId: string;
  readonly domainId: string;
}

export async function listDomains(db: Executor, shieldId: string) {
  const shield = await selectClaimant(db, shieldId);
  const domains = await selectDomains(db, shieldId);
  const groups = await selectMinecraftGroups(db, shieldId);
  return {
    domains: domains.map(presentDomain),
    cname_record: shield.cname_record,
    domains_max: entitlements(shield).domainsMax,
    groups: groups.map(({ id, name, is_default }) => ({ id, name, default: is_default })),
  };
}

/** A name to be added, and another account's claim that DNS disproves. */
export interface Wanted {
  readonly name: string;
  readonly lost: string | undefined;
}

/**
 * Checks the records of another account that holds the name. Call it before the transaction.
 *
 * @throws DomainError `domain_in_use` where their claim is proven and still holds
 */
export async function findWanted(
  deps: DomainsDeps,
  caller: { readonly userId: string; readonly shieldId: string },
  typed: string,
): Promise<Wanted> {
  const name = readClaim(deps, typed);
  const shield = await selectClaimant(deps.db, caller.shieldId);
  const holder = await selectHolder(deps.db, name);
  const claimant = { ownerId: shield.owner_id, callerId: caller.userId };
  if (holder === undefined || (await mayMove(deps.db, holder, claimant))) {
    return { name, lost: undefined };
  }
  const theirs = { domain: name, cname: holder.cname_record };
  const check = await checkDomain(deps, theirs, { kind: "wizard", userId: caller.userId });
  if (!isLost(check.code)) throw inUse();
  return { name, lost: holder.id };
}

/** Adds the claim; proven at once where a look has lately proven it for this shield's label. */
export async function addDomain(
  { writes }: Pick<DomainsDeps, "writes">,
  trx: Trx,
  {
    shieldId,
    callerId,
    now,
  }: { readonly shieldId: string; readonly callerId: string; readonly now: Date },
  { name, lost }: Wanted,
) {
  await lockName(trx, name);
  const shield = await selectClaimant(trx, shieldId);
  const { owner_id: userId, cname_record: cname } = shield;
  const proof = await selectProof(trx, { domain: name, cname, userId }, proofsSince(now));
  const holder = await selectHolder(trx, name);
  const mayTake =
    holder === undefined ||
    holder.id === proof?.supersedes ||
    (await mayMove(trx, holder, { ownerId: userId, callerId }));
  if (!mayTake && holder.id !== lost) throw inUse();
  const isProven = proof !== undefined && mayTake;
  const loser = isProven ? holder?.shield_id : undefined;
  await lockShields(trx, [shieldId, ...(loser === undefined ? [] : [loser])]);
  await writes.lockActive(trx, shieldId);
  await requireParent(trx, userId, name, now);
  const kept = await makeRoom(trx, shieldId, name, now);
  await requirePlace(trx, shield);
  if (isProven) await removeProofs(trx, name, { now, claimantId: userId });
  const row = await insertDomain(trx, {
    id: newId(),
    shield_id: shieldId,
    name,
    created_at: now,
    verified_at: isProven ? proof.proven_at : holder === undefined ? kept : null,
  });
  if (loser !== undefined && loser !== shieldId) await writes.commit(trx, loser);
  const { revision } = await writes.commit(trx, shieldId);
  return { domain: presentDomain(row), revision };
}

/** @throws DomainError where it is a wildcard whose parent its owner has not proven */
async function requireParent(trx: Trx, ownerId: string, name: string, now: Date): Promise<void> {
  const parent = provenName(name);
  if (parent === name || (await hasProven(trx, ownerId, parent, proofsSince(now)))) return;
  throw fieldError("domain", "domain.parent_unproven");
}

/**
 * A removed claim of the same name makes way; one that is there is a duplicate.
 *
 * @returns when the removed one was proven, while that still counts
 */
async function makeRoom(trx: Trx, shieldId: string, name: string, now: Date): Promise<Date | null> {
  const known = await selectNamed(trx, shieldId, name);
  if (known === undefined) return null;
  if (known.removed_at === null) {
    throw new DomainError("domain_exists", {
      issues: [{ path: "domain", code: "error.domain_exists" }],
    });
  }
  await deleteDomain(trx, known.id);
  return isRestorable(known.removed_at, now) ? known.verified_at : null;
}

function isRestorable(removedAt: Date, now: Date): boolean {
  return now.getTime() - removedAt.getTime() <= domainUndoSeconds * 1_000;
}

async function requirePlace(
  trx: Trx,
  shield: { readonly id: string; readonly plan_limits: unknown },
): Promise<void> {
  const max = entitlements(shield).domainsMax;
  if ((await countDomains(trx, shield.id)) < max) return;
  throw new DomainError("plan_limit", { text: "domain.limit", values: { max } });
}

/** @throws DomainError `not_found` where the shield has no such domain */
export async function domainIdOf(trx: Trx, shieldId: string, name: string): Promise<string> {
  const domain = await selectNamed(trx, shieldId, name);
  if (domain === undefined || domain.removed_at !== null) throw new DomainError("not_found");
  return domain.id;
}

/** Chooses the group the domain's players go to; a group of another shield does not exist. */
export async function changeDomain(
  writes: ShieldWrites,
  trx: Trx,
  named: Named,
  { group_id }: z.output<typeof updateDomainBody>,
) {
  await writes.lockActive(trx, named.shieldId);
  await requireDomain(trx, named);
  if (group_id !== null) {
    const group = await selectGroup(trx, named.shieldId, group_id);
    if (group === undefined) throw new DomainError("not_found");
    if (group.game !== "minecraft") throw fieldError("group_id", "domain.group_game");
  }
  const row = await updateDomain(trx, named.domainId, { group_id });
  const { revision } = await writes.commit(trx, named.shieldId);
  return { domain: presentDomain(row), revision };
}

/** Not routed from then on; the proof is kept for `restoreDomain`, unless another account takes it. */
export async function removeDomain(writes: ShieldWrites, trx: Trx, named: Named, now: Date) {
  const { name } = await requireDomain(trx, named);
  await lockName(trx, name);
  await writes.lockActive(trx, named.shieldId);
  await requireDomain(trx, named);
  await updateDomain(trx, named.domainId, { removed_at: now });
  const { revision } = await writes.commit(trx, named.shieldId);
  return { revision, restorableUntil: new Date(now.getTime() + domainUndoSeconds * 1_000) };
}

/**
 * Undoes a removal; two requests at once both succeed.
 *
 * @throws DomainError `domain_in_use` where another account has proven the name since
 */
export async function restoreDomain(writes: ShieldWrites, trx: Trx, named: Named, now: Date) {
  const known = await selectDomain(trx, named.shieldId, named.domainId);
  if (known === undefined) throw new DomainError("not_found");
  await lockName(trx, known.name);
  await writes.lockActive(trx, named.shieldId);
  const shield = await selectClaimant(trx, named.shieldId);
  const row = await selectDomain(trx, named.shieldId, named.domainId);
  if (row === undefined) throw new DomainError("not_found");
  if (row.removed_at === null) return { domain: presentDomain(row), revision: shield.revision };
  if (!isRestorable(row.removed_at, now)) throw new DomainError("not_found");
  const holder = await selectHolder(trx, row.name);
  if (holder !== undefined && holder.owner_id !== shield.owner_id) throw inUse();
  await requirePlace(trx, shield);
  const anew = { unproven_since: now, expired_at: null, checks: 0, next_check_at: null };
  const restored = await updateDomain(trx, row.id, {
    removed_at: null,
    ...(row.verified_at === null ? anew : {}),
  });
  const { revision } = await writes.commit(trx, named.shieldId);
  return { domain: presentDomain(restored), revision };
}

/** The records the domain needs, and what DNS says of them now where that is asked for. */
export async function setUpDomain(
  deps: DomainsDeps,
  named: Named,
  { userId, isLooking }: { readonly userId: string; readonly isLooking: boolean },
) {
  const row = await requireDomain(deps.db, named);
  const { cname_record: cname } = await selectClaimant(deps.db, named.shieldId);
  const proof = proofOf(deps.proofKeys, row.name, cname);
  return {
    domain: presentDomain(row),
    setup_info: presentRecords(row.name, proof, deps.javaPort()),
    check: isLooking
      ? await checkDomain(deps, { domain: row.name, cname }, { kind: "wizard", userId })
      : null,
  };
}

/** Looks at once; what it proves is written by `commit`, in a transaction of its own. */
export async function checkShieldDomain(
  deps: DomainsDeps,
  named: Named,
  { userId, now }: { readonly userId: string; readonly now: Date },
  commit: (work: (trx: Trx) => Promise<void>) => Promise<void>,
) {
  const { name: domain } = await requireDomain(deps.db, named);
  const shield = await selectClaimant(deps.db, named.shieldId);
  const { cname_record: cname, owner_id: user_id } = shield;
  const check = await checkDomain(deps, { domain, cname }, { kind: "wizard", userId });
  if (check.verified)
    await commit((trx) =>
      prove(deps, trx, named, { ...check, domain, cname, user_id, callerId: userId, now }),
    );
  const row = await requireDomain(deps.db, named);
  const { revision } = await selectClaimant(deps.db, named.shieldId);
  return { check, domain: presentDomain(row), revision };
}

interface Seen extends Pick<DomainCheck, "views"> {
  readonly domain: string;
  readonly cname: string;
  readonly user_id: string;
  readonly callerId: string;
  readonly now: Date;
}

async function prove(deps: DomainsDeps, trx: Trx, named: Named, seen: Seen): Promise<void> {
  await rememberProof(deps, trx, { ...seen, shield_id: named.shieldId });
  await setSeen(trx, named.domainId, nextLookAt(seen.now));
}

/** @throws DomainError `not_found` where the shield has no such domain, or has it no more */
async function requireDomain(db: Executor, { shieldId, domainId }: Named) {
  const row = await selectDomain(db, shieldId, domainId);
  if (row === undefined || row.removed_at !== null) throw new DomainError("not_found");
  return row;
}
