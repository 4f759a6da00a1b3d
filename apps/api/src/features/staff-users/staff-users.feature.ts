import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { createStaffUsers } from "./staff-users.service.ts";
import { mountStaffMoneyRoutes } from "./staff-money.routes.ts";
import { mountStaffUserRoutes } from "./staff-users.routes.ts";

/** Accounts as staff see and change them, and the search over everything. */
export function createStaffUsersFeature(
  { db, audit, config }: Platform,
  deps: { readonly notices: AccountNotices; readonly writes: ShieldWrites },
): Feature {
  const users = createStaffUsers({ db, audit, ...deps });
  return {
    mountRoutes(mount) {
      mountStaffUserRoutes(mount, { db, users });
      mountStaffMoneyRoutes(mount, { db, fourEyesCents: config.fourEyesCents });
    },
  };
}
