import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { takeDueTargets, type ProofTarget } from "./backend-proofs.repository.ts";
import {
  findProof,
  proofPublishingJob,
  publishProofs,
  storeProof,
  type ProofDeps,
} from "./backend-proofs.service.ts";

/** A proof made right after the backend was added is seen soon; one never made costs 24 looks a day. */
const pauses = { limit: 60, firstPauseSeconds: 60, pauseSecondsMax: 3_600 };
const looksAtOnce = 6;

export interface ProofJobsDeps extends ProofDeps {
  readonly clock: Clock;
  readonly log: Logger;
}

/** Looks for the owners' proofs of backends that have none. */
export function proofChecks(deps: ProofJobsDeps): JobDefinition<object> {
  return {
    name: "backends.check-proofs",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "* * * * *",
    async run(_data, signal = new AbortController().signal) {
      const due = await takeDueTargets(deps.db, deps.clock.now(), pauses);
      for (let at = 0; at < due.length && !signal.aborted; at += looksAtOnce) {
        await Promise.all(
          due.slice(at, at + looksAtOnce).map((target) => look(deps, target, signal)),
        );
      }
    },
  };
}

/** One that fails does not hold up the others. */
async function look(deps: ProofJobsDeps, target: ProofTarget, signal: AbortSignal): Promise<void> {
  try {
    const by = { asker: target.owner_id, dns: { kind: "job" }, signal } as const;
    const { found } = await findProof(deps, target, by);
    if (found === undefined) return;
    const now = deps.clock.now();
    await deps.db
      .transaction()
      .execute((trx) => storeProof(deps, trx, target, { ...found, now }).then(() => undefined));
  } catch (error) {
    deps.log.error({ err: error, backendId: target.id }, "A backend's proof could not be checked");
  }
}

/** Brings what edges have reported to all edges. */
export function proofPublishing(
  deps: Pick<ProofJobsDeps, "db" | "writes" | "clock">,
): JobDefinition<{ readonly shieldId: string }> {
  return {
    name: proofPublishingJob,
    retryLimit: 5,
    retryDelaySeconds: 10,
    concurrency: 2,
    async run({ shieldId }) {
      try {
        await deps.db
          .transaction()
          .execute((trx) => publishProofs(deps, trx, { shieldId, now: deps.clock.now() }));
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    },
  };
}

/** A shield that is not active takes its proofs with the next change. */
function isGone(error: unknown): boolean {
  const codes = ["not_found", "server_not_active"];
  return error instanceof DomainError && codes.includes(error.code);
}
