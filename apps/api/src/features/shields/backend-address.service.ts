import type { Executor } from "#src/platform/database/db.ts";
import { isPublicBackend } from "./backend-address.policy.ts";
import { isEdgeAddress } from "./shields.repository.ts";

export interface AddressRules {
  /** Private backends may be used: development. */
  readonly anyBackend: boolean;
  /** Private ranges the operator allows as backends. */
  readonly privateBackends: readonly string[];
}

/** Whether edges may be sent to this address (decision 38). */
export async function isProtectable(
  db: Executor,
  rules: AddressRules,
  host: string,
): Promise<boolean> {
  if (rules.anyBackend) return true;
  return isPublicBackend(host, rules.privateBackends) && !(await isEdgeAddress(db, host));
}
