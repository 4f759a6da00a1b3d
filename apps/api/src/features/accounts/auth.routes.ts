import { routes } from "@palisade/contract/http/routes";
import type { Locale } from "@palisade/contract/texts/render";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { clearedPendingCookies, pendingCookies, readPendingToken } from "./pending-cookie.ts";
import type { RegistrationService } from "./registration.service.ts";
import type { SessionService } from "./sessions.service.ts";
import type { UserRow } from "./user-row.ts";
import { presentCurrentUser, type SupportPlanName } from "./user.presenter.ts";

export interface AuthRoutesDeps {
  readonly registration: RegistrationService;
  readonly sessions: SessionService;
  readonly supportPlanOf: (userId: string, locale: Locale) => Promise<SupportPlanName | null>;
  readonly balanceCentsOf: (userId: string) => Promise<number>;
}

export function mountAuthRoutes(mount: Mount, deps: AuthRoutesDeps): void {
  const { registration, sessions } = deps;
  const present = async (user: UserRow, locale: Locale) =>
    presentCurrentUser(
      user,
      await deps.supportPlanOf(user.id, locale),
      await deps.balanceCentsOf(user.id),
    );

  mount(routes.auth.register, async (ctx, { body }) => {
    const token = await registration.register(ctx, body);
    return { body: { message: ctx.text("ok.registered") }, cookies: pendingCookies(token) };
  });

  mount(routes.auth.verifyEmailCode, async (ctx, { body }) => {
    await registration.confirm(ctx, readPendingToken(ctx), body);
    return { body: { message: ctx.text("ok.email_confirmed") }, cookies: clearedPendingCookies };
  });

  mount(routes.auth.resendVerificationCode, async (ctx, { body }) => {
    const token = await registration.resend(ctx, readPendingToken(ctx), body.email);
    return { body: { message: ctx.text("ok.code_resent") }, cookies: pendingCookies(token) };
  });

  mount(routes.auth.login, async (ctx, { body }) => {
    const session = await sessions.login(ctx, body);
    if (session === "code-demanded") {
      const message = ctx.text("ok.code_demanded");
      return { body: { requires_two_factor: true as const, requires_2fa: true as const, message } };
    }
    return {
      body: {
        requires_two_factor: false as const,
        requires_2fa: false as const,
        access_token: session.token,
        user: await present(session.user, ctx.locale),
        message: ctx.text("ok.logged_in"),
      },
    };
  });

  mount(routes.auth.user, async (ctx) => ({
    body: { user: await present(await sessions.currentUser(ctx.actor), ctx.locale) },
  }));

  mount(routes.auth.logout, async (ctx) => {
    await sessions.logout(ctx);
    return { body: { message: ctx.text("ok.logged_out") } };
  });
}
