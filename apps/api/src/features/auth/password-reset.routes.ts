import { routes } from "@palisade/contract/http/routes";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { PasswordResetService } from "./password-reset.service.ts";

export function mountPasswordResetRoutes(mount: Mount, resets: PasswordResetService): void {
  mount(routes.passwordReset.forgotPassword, async (ctx, { body }) => {
    await resets.send(ctx, body.email);
    return { body: { message: ctx.text("ok.reset_code_sent") } };
  });

  mount(routes.passwordReset.resendResetCode, async (ctx, { body }) => {
    await resets.send(ctx, body.email);
    return { body: { message: ctx.text("ok.code_resent") } };
  });

  mount(routes.passwordReset.verifyResetCode, async (ctx, { body }) => {
    await resets.verify(ctx, body);
    return { body: { message: ctx.text("ok.reset_code_verified") } };
  });

  mount(routes.passwordReset.resetPassword, async (ctx, { body }) => {
    await resets.reset(ctx, body);
    return { body: { message: ctx.text("ok.password_reset") } };
  });
}
