import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import { addressChainKeys } from "#src/platform/http/pipeline/audit-log.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import type { Passwords } from "#src/platform/security/passwords.ts";
import { createAccountDeletion } from "./account-deletion.service.ts";
import { createAccountExport } from "./account-export.service.ts";
import { mountAccountLifecycleRoutes } from "./account-lifecycle.routes.ts";
import { accountRetentionJob, type DeleteOld } from "./account-retention.job.ts";

export interface AccountLifecycleDeps {
  readonly notices: AccountNotices;
  readonly passwords: Passwords;
  /** Steps that delete the account features' rows once they are too old. */
  readonly deleteOld: readonly DeleteOld[];
}

/** Export and deletion of a whole account, and the retention of what accounts leave behind. */
export function createAccountLifecycleFeature(
  { db, clock, config, jobs }: Platform,
  { notices, passwords, deleteOld }: AccountLifecycleDeps,
): Feature {
  const deleteAccount = createAccountDeletion({ passwords, notices, jobs });
  const exportAccount = createAccountExport({
    db,
    addressChainKeys: addressChainKeys(config),
  });
  return {
    mountRoutes: (mount) => mountAccountLifecycleRoutes(mount, { deleteAccount, exportAccount }),
    jobs: [accountRetentionJob(clock, deleteOld)],
  };
}
