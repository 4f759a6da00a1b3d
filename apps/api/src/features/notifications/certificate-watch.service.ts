import type { Db } from "#src/platform/database/db.ts";
import type { CertificateCondition } from "#src/platform/http/tls/certificate-condition.ts";
import { readWatch, saveWatch, type CertificateWatch } from "./certificate-watch.repository.ts";
import { tryToHold } from "./notification-events.repository.ts";
import { tellStaff, type StaffEventsDeps } from "./staff-events.service.ts";

type CertificateState = CertificateWatch["told"];

/** A CA that is away for a moment, or files of which one is written after the other, are no event. */
export const lastsMs = 600_000;
const warnedMs = 14 * 86_400_000;

const kinds = {
  failing: "certificate.renewal_failed",
  expiring: "certificate.expiring",
  valid: "certificate.renewed",
} as const satisfies Record<CertificateState, string>;

export interface CertificateWatchDeps extends StaffEventsDeps {
  readonly db: Db;
  /** Undefined: the api has no certificate of its own. */
  readonly look: (() => Promise<CertificateCondition>) | undefined;
}

/** Tells staff once a certificate cannot be renewed, is about to expire, or is valid after that. */
export async function watchCertificate(deps: CertificateWatchDeps): Promise<void> {
  const { db, clock, look } = deps;
  if (look === undefined) return;
  const found = await look();
  const now = clock.now();
  const seen = stateOf(found, now);
  await db.transaction().execute(async (trx) => {
    if (!(await tryToHold(trx, "certificates"))) return;
    const watch = await readWatch(trx, found.domain, now);
    if (seen !== watch.seen) {
      await saveWatch(trx, { ...watch, seen, seen_since: now });
      return;
    }
    if (seen === watch.told || now.getTime() - watch.seen_since.getTime() < lastsMs) return;
    await saveWatch(trx, { ...watch, told: seen });
    await tellStaff(deps, trx, {
      kind: kinds[seen],
      data: { domain: found.domain, expires_at: found.expiresAt?.toISOString() ?? null },
    });
  });
}

/** That it expires is more urgent than that it cannot be renewed. */
function stateOf(
  { startsAt, expiresAt, isFailing }: CertificateCondition,
  now: Date,
): CertificateState {
  if (startsAt !== undefined && expiresAt !== undefined) {
    const lifeMs = expiresAt.getTime() - startsAt.getTime();
    // A certificate that lives for days is renewed within its last third.
    const warnMs = Math.min(warnedMs, lifeMs / 6);
    if (expiresAt.getTime() - now.getTime() < warnMs) return "expiring";
  }
  return isFailing ? "failing" : "valid";
}
