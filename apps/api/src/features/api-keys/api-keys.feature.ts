import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import type { UserAccess } from "#src/platform/http/pipeline/authentication.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createSealer } from "#src/platform/security/sealing.ts";
import { findApiKeyActor } from "./api-keys.repository.ts";
import { mountApiKeyRoutes } from "./api-keys.routes.ts";
import { createApiKeys } from "./api-keys.service.ts";
import { expiryNoticeJob } from "./expiry-notice.job.ts";

export interface ApiKeysFeature extends Feature {
  readonly apiKeyAccess: UserAccess;
}

/** The API keys of a user. */
export function createApiKeysFeature(
  { db, clock, config }: Platform,
  notices: AccountNotices,
): ApiKeysFeature {
  const keySealer = createSealer(deriveKeys(config, "profile-api-keys"));
  const apiKeys = createApiKeys({ db, keySealer, notices });
  return {
    mountRoutes: (mount) => mountApiKeyRoutes(mount, apiKeys),
    jobs: [expiryNoticeJob({ db, clock, notices })],
    apiKeyAccess: (token, { now }) => findApiKeyActor(db, token, now),
  };
}
