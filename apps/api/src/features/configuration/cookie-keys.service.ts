import { createHmac } from "node:crypto";
import type { Trx } from "#src/platform/database/db.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import { renewSalts } from "./cookie-keys.repository.ts";

export const recompilingJob = "shields.recompile";

/**
 * The key that a shield's edges sign players' cookies with; base64.
 *
 * @param salt of the locations whose edges know the key
 */
export function cookieKeyOf(secret: Buffer, shieldId: string, salt: string): string {
  return createHmac("sha256", secret).update(`${shieldId} ${salt}`).digest("base64");
}

/**
 * Gives the shields of the location new keys in the background, because the old keys may be known
 * to others. Null stands for every location.
 *
 * @param jobs without them, the schedule of the job does it within minutes
 */
export async function renewCookieKeys(
  jobs: Jobs | undefined,
  trx: Trx,
  location: string | null,
): Promise<void> {
  await renewSalts(trx, location);
  await jobs?.send(trx, recompilingJob, {});
}
