import { routes } from "@palisade/contract/http/routes";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { createEmailChange } from "./email-change.service.ts";
import type { ProfileService } from "./profile.service.ts";

export interface ProfileRoutesDeps {
  readonly profile: ProfileService;
  readonly emailChange: ReturnType<typeof createEmailChange>;
}

export function mountProfileRoutes(
  mount: Mount,
  { profile, emailChange }: ProfileRoutesDeps,
): void {
  mount(routes.account.getProfile, async (ctx) => ({ body: { profile: await profile.get(ctx) } }));

  mount(routes.account.updateProfile, async (ctx, { body }) => {
    const saved = await profile.update(ctx, body);
    return { body: { profile: saved, message: ctx.text("ok.profile_updated") } };
  });

  mount(routes.account.updateNotifications, async (ctx, { body }) => {
    await profile.updateNotifications(ctx, body);
    return { body: { message: ctx.text("ok.notifications_updated") } };
  });

  mount(routes.account.updateEmail, async (ctx, { body }) => {
    await emailChange.request(ctx, body.email);
    return { body: { message: ctx.text("ok.email_updated") } };
  });

  mount(routes.account.confirmEmailChange, async (ctx, { body }) => {
    await emailChange.confirm(ctx, body.token);
    return { body: { message: ctx.text("ok.email_changed") } };
  });
}
