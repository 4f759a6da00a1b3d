import type { DnsCheck } from "@palisade/contract/http/server-setup";
import { normalizeClaim } from "@palisade/contract/http/servers";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import { isPrivateName } from "#src/features/backends/backend-address.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { checkDomain, judgeFor, type DomainCheckDeps } from "./domain-check.service.ts";
import { isWithin, plainName } from "./dns-lookup.ts";
import { provenName, type DomainView } from "./domain-proof.ts";
import type { DnsLookupCaller } from "./dns-lookup-limiter.ts";
import {
  deleteProofs,
  hasProven,
  lockName,
  lockShields,
  mayMove,
  removeProofs,
  renewClaims,
  selectClaim,
  selectHolder,
  selectLabel,
  selectProvenNames,
  selectProof,
  selectRivalProofs,
  setProven,
  upsertProof,
} from "./domains.repository.ts";

/** How long a look counts for the shield that is created after it. */
export const proofLifeMs = 86_400_000;

/** Unproven claims end after this time. */
export const claimLifeMs = 7 * 86_400_000;

/** When a proven domain whose records were just seen is looked at again. */
export function nextLookAt(now: Date): Date {
  return new Date(now.getTime() + 86_400_000);
}

export interface NameRules {
  readonly zone: string;
  /** Names of a private network may be claimed: development. */
  readonly anyName: boolean;
}

export interface DomainsDeps extends DomainCheckDeps, NameRules {
  readonly db: Db;
  readonly writes: ShieldWrites;
}

interface Caller {
  readonly userId: string;
  readonly now: Date;
}

/** The stored form; a name of a private network cannot be claimed, because it cannot be proven. */
export function readClaim({ zone, anyName }: NameRules, typed: string): string {
  const domain = normalizeClaim(typed);
  if (domain === null) throw fieldError("domain", "domain.invalid");
  const name = provenName(domain);
  // A name in our own zone is the label of a shield.
  if (isWithin(name, zone)) throw inUse();
  if (!anyName && isPrivateName(name)) throw fieldError("domain", "domain.invalid");
  return domain;
}

/**
 * The stored form of a domain the caller may claim.
 *
 * @throws DomainError `domain_in_use` where another account has proven it, or it is in our zone
 */
export async function requireClaimable(
  db: Executor,
  rules: NameRules,
  { userId, now }: Caller,
  typed: string,
): Promise<string> {
  const domain = readClaim(rules, typed);
  const parent = provenName(domain);
  if (parent !== domain && !(await hasProven(db, userId, parent, proofsSince(now)))) {
    throw fieldError("domain", "domain.parent_unproven");
  }
  const holder = await selectHolder(db, domain);
  if (holder !== undefined && holder.owner_id !== userId) throw inUse();
  return domain;
}

function lookerOf({ userId }: Caller): DnsLookupCaller {
  return { kind: "wizard", userId };
}

/** As `requireClaimable`; one who has proven it too late to keep it is asked for their records. */
export async function findClaimable(
  deps: DomainsDeps,
  caller: Caller,
  typed: string,
): Promise<string> {
  const domain = readClaim(deps, typed);
  const holder = await selectHolder(deps.db, domain);
  if (holder === undefined || holder.owner_id === caller.userId) {
    return requireClaimable(deps.db, deps, caller, typed);
  }
  const check = await checkDomain(deps, { domain, cname: holder.cname_record }, lookerOf(caller));
  if (!isLost(check.code)) throw inUse();
  return domain;
}

/** A look at the caller's records; a proof is remembered, and told to the shield it is for. */
export async function checkClaim(
  deps: DomainsDeps,
  caller: Caller,
  claim: { readonly domain: string; readonly cname: string },
  commit: (work: (trx: Trx) => Promise<void>) => Promise<void>,
) {
  const domain = readClaim(deps, claim.domain);
  const cname = plainName(claim.cname.trim()).replaceAll("\0", "");
  const label = await selectLabel(deps.db, caller.userId, cname);
  if (label === undefined) {
    throw new DomainError("cname_not_reserved", {
      issues: [{ path: "cname_record", code: "error.cname_not_reserved" }],
    });
  }
  const check = await checkDomain(deps, { domain, cname }, lookerOf(caller));
  if (check.verified) {
    const { views } = check;
    const proof = { domain, cname, ...label, views, now: caller.now, callerId: caller.userId };
    await commit((trx) => rememberProof(deps, trx, proof));
  }
  return check;
}

interface FoundProof {
  readonly domain: string;
  readonly cname: string;
  /** The user who reserved the label. */
  readonly user_id: string;
  readonly shield_id: string | null;
  readonly views: readonly DomainView[];
  /** When the look began. */
  readonly now: Date;
  /** The user who asked for it. With it, the domain also moves from another shield of theirs that still proves it. */
  readonly callerId?: string;
}

/**
 * A proof counts from now on: for the shield that claims the domain, or for the one to be created.
 * It takes the domain from another claim only where the same look shows that to be proven no more.
 *
 * @throws DomainError `domain_in_use` where another claim is proven and still holds
 */
export async function rememberProof(deps: DomainsDeps, trx: Trx, proof: FoundProof): Promise<void> {
  const { domain, cname, now } = proof;
  await lockName(trx, domain);
  await forgetLost(deps, trx, proof);
  const holder = await selectHolder(trx, domain);
  if (holder?.cname_record === cname) return;
  if (holder !== undefined && !(await isMove(trx, holder, proof))) {
    const theirs = judgeFor(deps, proof.views, { domain, cname: holder.cname_record });
    if (!isLost(theirs)) throw inUse();
  }
  const claim =
    proof.shield_id === null ? undefined : await selectClaim(trx, proof.shield_id, domain);
  if (proof.shield_id === null || claim === undefined) {
    const supersedes = holder?.id ?? null;
    const { user_id } = proof;
    await upsertProof(trx, { domain, cname_record: cname, user_id, proven_at: now, supersedes });
    return;
  }
  const shieldIds = [proof.shield_id, ...(holder === undefined ? [] : [holder.shield_id])];
  await lockShields(trx, shieldIds);
  await removeProofs(trx, domain, { now, claimantId: proof.user_id });
  await setProven(trx, claim.id, { now, nextAt: nextLookAt(now) });
  for (const id of shieldIds) await deps.writes.commit(trx, id);
}

async function isMove(
  trx: Trx,
  holder: Parameters<typeof mayMove>[1],
  { user_id: ownerId, callerId }: FoundProof,
): Promise<boolean> {
  return callerId !== undefined && (await mayMove(trx, holder, { ownerId, callerId }));
}

/**
 * Deletes earlier proofs that this check disproves: a proof of yesterday must not take the domain
 * from the shield that DNS names today. A proof from a later check stays.
 */
async function forgetLost(deps: DomainsDeps, trx: Trx, proof: FoundProof): Promise<void> {
  const { domain, views } = proof;
  const rivals = await selectRivalProofs(trx, proof, proof.now);
  const lost = rivals
    .map(({ cname_record }) => cname_record)
    .filter((cname) => isLost(judgeFor(deps, views, { domain, cname })));
  await deleteProofs(trx, domain, lost);
}

/**
 * The domain as a new shield gets it: proven where its owner has had it looked at. Looks at nothing
 * itself, so that a transaction does not wait for DNS.
 *
 * @throws DomainError `domain_in_use`
 */
export async function claimForCreation(
  deps: NameRules & { readonly writes: ShieldWrites },
  trx: Trx,
  caller: Caller,
  typed: { readonly domain: string; readonly cname: string },
): Promise<{ readonly name: string; readonly verified_at: Date | null }> {
  const name = readClaim(deps, typed.domain);
  const key = { domain: name, cname: typed.cname, userId: caller.userId };
  const proof = await selectProof(trx, key, proofsSince(caller.now));
  // Unproven claims exclude no one, so they need no lock.
  if (proof !== undefined) await lockName(trx, name);
  const holder = await selectHolder(trx, name);
  const mayTake =
    holder === undefined || holder.id === proof?.supersedes || holder.owner_id === caller.userId;
  if (proof === undefined || !mayTake) {
    await requireClaimable(trx, deps, caller, typed.domain);
    return { name, verified_at: null };
  }
  if (holder !== undefined) await lockShields(trx, [holder.shield_id]);
  await removeProofs(trx, name, { now: caller.now, claimantId: caller.userId });
  if (holder !== undefined) await deps.writes.commit(trx, holder.shield_id);
  return { name, verified_at: proof.proven_at };
}

/**
 * Call it for a shield that is being restored, before its commit. Names that others proved since
 * then stay theirs; unproven claims get their full time again. Deleting a shield needs no
 * counterpart: its claims then exclude no one, are not checked and do not end.
 */
export function reclaimDomains(trx: Trx, shieldId: string, now: Date): Promise<void> {
  return renewClaims(trx, shieldId, now);
}

/** No other proof moves a name of the shield until `trx` ends. Call it before locking the shield. */
export async function holdNames(trx: Trx, shieldId: string): Promise<void> {
  for (const name of await selectProvenNames(trx, shieldId)) await lockName(trx, name);
}

/** Whether a diagnosis means that a proof is gone; a failed lookup takes nothing away. */
export function isLost(code: DnsCheck["diagnosis"]["code"]): boolean {
  return code !== "verified" && code !== "unknown";
}

export function proofsSince(now: Date): Date {
  return new Date(now.getTime() - proofLifeMs);
}

export function inUse(): DomainError {
  return new DomainError("domain_in_use", {
    issues: [{ path: "domain", code: "error.domain_in_use" }],
  });
}
