import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import type { Passwords } from "#src/platform/security/passwords.ts";
import { createSealer } from "#src/platform/security/sealing.ts";
import { createBackupCodeHashes } from "./backup-code-hashes.ts";
import { createSecondFactor, type SecondFactor } from "./second-factor.service.ts";
import { codesReadableMs, createBackupCodes, type BackupCodes } from "./backup-codes.service.ts";
import { forgetSealedCodes } from "./two-factor.repository.ts";
import { mountTwoFactorRoutes } from "./two-factor.routes.ts";
import { createTwoFactorService, type TwoFactorService } from "./two-factor.service.ts";

export interface TwoFactorFeature extends Feature {
  readonly secondFactor: SecondFactor;
  readonly twoFactor: TwoFactorService;
  readonly backupCodes: BackupCodes;
  readonly deleteOld: (now: Date) => Promise<void>;
}

/** Codes of authenticator apps and backup codes. */
export function createTwoFactorFeature(
  { db, config }: Platform,
  notices: AccountNotices,
  passwords: Pick<Passwords, "stretch">,
): TwoFactorFeature {
  const sealer = createSealer(deriveKeys(config, "two-factor"));
  const codeKeys = deriveKeys(config, "backup-codes");
  const hashes = createBackupCodeHashes({ passwords, codeKeys });
  const secondFactor = createSecondFactor({ db, sealer, backupCodes: hashes });
  const backupCodes = createBackupCodes({ db, sealer, hashes });
  const twoFactor = createTwoFactorService({ notices, sealer, backupCodes, secondFactor });
  return {
    mountRoutes: (mount) => mountTwoFactorRoutes(mount, twoFactor, backupCodes),
    secondFactor,
    twoFactor,
    backupCodes,
    async deleteOld(now) {
      await forgetSealedCodes(db, new Date(now.getTime() - codesReadableMs));
      await hashes.stretchOld(db);
    },
  };
}
