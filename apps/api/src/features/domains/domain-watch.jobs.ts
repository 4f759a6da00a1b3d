import { announce } from "#src/features/notifications/notification-events.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import { checkDomain } from "./domain-check.service.ts";
import { countUnseen, setSeen, takeNotices, takeWatched } from "./domain-watch.repository.ts";
import { isLost, nextLookAt, type DomainsDeps } from "./domains.service.ts";

const hourMs = 3_600_000;
/** Domains taken at once; those of a process that dies wait an hour. */
const limit = 50;
/** The next run continues. A run must end within five minutes, even when resolvers do not answer. */
const runMsMax = 240_000;
const looksAtOnce = 10;
/** Failed checks in a row, an hour apart, because a short outage of a provider is not a lost domain. */
export const unseenLooks = 3;
const noticesAtOnce = 100;

export interface DomainWatchDeps extends DomainsDeps {
  readonly clock: Clock;
  readonly mailer: Mailer;
}

/**
 * Checks proven domains once a day. A domain whose records are gone stays routed as long as no
 * other account proves it; its owner gets a mail and sees it as not set up.
 */
export function domainWatch(deps: DomainWatchDeps): JobDefinition<object> {
  return {
    name: "domains.watch",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "*/5 * * * *",
    async run(_data, signal) {
      const endAt = deps.clock.now().getTime() + runMsMax;
      const isOver = (): boolean => signal?.aborted === true || deps.clock.now().getTime() >= endAt;
      while (!isOver()) {
        if (!(await watchSome(deps))) break;
      }
    },
  };
}

/** @returns whether more may be due */
async function watchSome(deps: DomainWatchDeps): Promise<boolean> {
  const now = deps.clock.now();
  const nextAt = new Date(now.getTime() + hourMs);
  const due = await takeWatched(deps.db, now, { limit, nextAt });
  for (let at = 0; at < due.length; at += looksAtOnce) {
    await Promise.all(due.slice(at, at + looksAtOnce).map((claim) => look(deps, claim, now)));
  }
  return due.length === limit;
}

async function look(
  deps: DomainWatchDeps,
  claim: Awaited<ReturnType<typeof takeWatched>>[number],
  now: Date,
): Promise<void> {
  const key = { domain: claim.name, cname: claim.cname_record };
  const { verified, code } = await checkDomain(deps, key, { kind: "job" });
  if (verified) await setSeen(deps.db, claim.id, nextLookAt(now));
  else if (isLost(code)) await countUnseen(deps.db, claim.id, { now, looks: unseenLooks });
}

/** Mails owners about their domains: once each, in the language of their last login. */
export function domainNotices(
  deps: Pick<DomainWatchDeps, "db" | "mailer" | "clock">,
): JobDefinition<object> {
  return {
    name: "domains.tell",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "* * * * *",
    run: () =>
      deps.db.transaction().execute(async (trx) => {
        for (const row of await takeNotices(trx, noticesAtOnce)) {
          if (row.notice !== null) {
            await announce(trx, [
              {
                shieldId: row.shield_id,
                kind: "domain.lost",
                at: deps.clock.now(),
                data: { domain: row.name, reason: row.notice },
              },
            ]);
          }
          await deps.mailer.enqueue(trx, {
            to: row.email,
            template: `domains.${row.notice}`,
            locale: row.locale,
            values: { domain: row.name, server: row.server_name, shieldId: row.shield_id },
          });
        }
      }),
  };
}
