import { routes } from "@palisade/contract/http/routes";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { BackupCodes } from "./backup-codes.service.ts";
import type { TwoFactorService } from "./two-factor.service.ts";

export function mountTwoFactorRoutes(
  mount: Mount,
  twoFactor: TwoFactorService,
  backupCodes: Pick<BackupCodes, "read">,
): void {
  mount(routes.twoFactor.setUpTwoFactor, async (ctx) => ({ body: await twoFactor.setUp(ctx) }));

  mount(routes.twoFactor.enableTwoFactor, async (ctx, { body }) => {
    const codes = await twoFactor.enable(ctx, body.code);
    return { body: { message: ctx.text("ok.two_factor_enabled"), backup_codes: codes } };
  });

  mount(routes.twoFactor.disableTwoFactor, async (ctx, { body }) => {
    await twoFactor.disable(ctx, body.code);
    return { body: { message: ctx.text("ok.two_factor_disabled") } };
  });

  mount(routes.twoFactor.getBackupCodes, async (ctx) => ({
    body: await backupCodes.read(ctx),
  }));

  mount(routes.twoFactor.regenerateBackupCodes, async (ctx, { body }) => {
    const codes = await twoFactor.regenerateBackupCodes(ctx, body.code);
    return { body: { message: ctx.text("ok.backup_codes_made"), backup_codes: codes } };
  });
}
