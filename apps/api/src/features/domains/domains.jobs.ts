import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { checkDomain } from "./domain-check.service.ts";
import { claimLifeMs, proofLifeMs, rememberProof, type DomainsDeps } from "./domains.service.ts";
import { domainUndoSeconds } from "@palisade/contract/http/domains";
import {
  deleteProofsBefore,
  expireClaim,
  lockShields,
  deleteRemovedBefore,
  selectStaleClaims,
  takeDueClaims,
} from "./domains.repository.ts";

/** A record made right after the purchase is seen soon; one never made costs 24 looks a day. */
const pauses = { limit: 300, firstPauseSeconds: 60, pauseSecondsMax: 3_600 };
/** As many as jobs may have under way. */
const looksAtOnce = 20;
const expiredAtOnce = 500;

export interface DomainJobsDeps extends DomainsDeps {
  readonly clock: Clock;
  readonly log: Logger;
}

/** Checks unproven domains again, each after a growing pause, so that Skip works. */
export function domainChecks(deps: DomainJobsDeps): JobDefinition<object> {
  return {
    name: "domains.check",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "* * * * *",
    async run() {
      const due = await takeDueClaims(deps.db, deps.clock.now(), pauses);
      for (let at = 0; at < due.length; at += looksAtOnce) {
        await Promise.all(
          due
            .slice(at, at + looksAtOnce)
            .map((claim) => attempt(deps, claim.id, () => recheck(deps, claim))),
        );
      }
    },
  };
}

/** A claim that fails does not hold up the others. */
async function attempt(
  { log }: DomainJobsDeps,
  claimId: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error, claimId }, "A domain's claim could not be checked or ended");
  }
}

async function recheck(
  deps: DomainJobsDeps,
  claim: Awaited<ReturnType<typeof takeDueClaims>>[number],
): Promise<void> {
  const key = { domain: claim.name, cname: claim.cname_record };
  const now = deps.clock.now();
  const { verified, views } = await checkDomain(deps, key, { kind: "job" });
  if (!verified) return;
  try {
    await deps.db.transaction().execute(async (trx) => {
      const { shield_id, owner_id: user_id } = claim;
      const found = { ...key, user_id, shield_id, views, now };
      await rememberProof(deps, trx, found);
    });
  } catch (error) {
    // Another account's claim is proven and still holds: this one waits until it ends.
    if (!(error instanceof DomainError) || error.code !== "domain_in_use") throw error;
  }
}

/** Ends claims that were not proven in time: their domains are no longer routed, the label is. */
export function domainExpiry(deps: DomainJobsDeps): JobDefinition<object> {
  return {
    name: "domains.expire",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "13 * * * *",
    async run() {
      const now = deps.clock.now();
      await deleteProofsBefore(deps.db, new Date(now.getTime() - proofLifeMs));
      await deleteRemovedBefore(deps.db, new Date(now.getTime() - domainUndoSeconds * 1_000));
      const before = new Date(now.getTime() - claimLifeMs);
      for (const claim of await selectStaleClaims(deps.db, before, expiredAtOnce)) {
        await attempt(deps, claim.id, () => end(deps, claim, now));
      }
    },
  };
}

function end(
  deps: DomainJobsDeps,
  claim: { readonly id: string; readonly shield_id: string },
  now: Date,
): Promise<void> {
  return deps.db.transaction().execute(async (trx) => {
    await lockShields(trx, [claim.shield_id]);
    if (await expireClaim(trx, claim.id, now)) await deps.writes.commit(trx, claim.shield_id);
  });
}
