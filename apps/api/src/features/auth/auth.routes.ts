import { routes } from "@palisade/contract/http/routes";
import type { Locale } from "@palisade/contract/texts/render";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { clearedPendingCookies, pendingCookies, readPendingToken } from "./pending-cookie.ts";
import type { RegistrationService } from "./registration.service.ts";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import type { LoggedIn } from "./login-completion.service.ts";
import type { PasskeyLogin } from "./passkey-login.service.ts";
import type { LoginService } from "./login.service.ts";
import type { createPasswordChange } from "./password-change.service.ts";
import type { StepUp } from "./step-up.service.ts";
import { presentCurrentUser, type SupportPlanName } from "./current-user.presenter.ts";
import type { UserRow } from "#src/schema/accounts.ts";

export interface AuthRoutesDeps {
  readonly registration: RegistrationService;
  readonly login: LoginService;
  readonly passkeyLogin: PasskeyLogin;
  readonly changePassword: ReturnType<typeof createPasswordChange>;
  readonly stepUp: StepUp;
  readonly supportPlanOf: (userId: string, locale: Locale) => Promise<SupportPlanName | null>;
  readonly balanceCentsOf: (userId: string) => Promise<number>;
}

export function mountAuthRoutes(mount: Mount, deps: AuthRoutesDeps): void {
  const { registration, login } = deps;
  const present = async (user: UserRow, locale: Locale) =>
    presentCurrentUser(
      user,
      await deps.supportPlanOf(user.id, locale),
      await deps.balanceCentsOf(user.id),
    );

  const answerOf = async (
    { token, user, deviceCookie }: LoggedIn,
    ctx: Pick<RequestContext, "locale" | "text">,
  ) => ({
    body: {
      requires_two_factor: false as const,
      requires_2fa: false as const,
      access_token: token,
      user: await present(user, ctx.locale),
      message: ctx.text("ok.logged_in"),
    },
    cookies: [deviceCookie],
  });

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
    const session = await login.logIn(ctx, body);
    if (session === "code-demanded") {
      const message = ctx.text("ok.code_demanded");
      return { body: { requires_two_factor: true as const, requires_2fa: true as const, message } };
    }
    return answerOf(session, ctx);
  });

  mount(routes.passkeys.logInWithPasskey, async (ctx, { body }) =>
    answerOf(await deps.passkeyLogin(ctx, body.credential), ctx),
  );

  mount(routes.auth.user, async (ctx) => ({
    body: { user: await present(await login.currentUser(ctx.actor), ctx.locale) },
  }));

  mount(routes.account.updatePassword, async (ctx, { body }) => {
    await deps.changePassword(ctx, body);
    return { body: { message: ctx.text("ok.password_updated") } };
  });

  mount(routes.twoFactor.beginStepUp, async (ctx) => {
    const { factor, passkeyOptions } = await deps.stepUp.begin(ctx);
    return { body: { factor, passkey_options: passkeyOptions } };
  });

  mount(routes.twoFactor.stepUp, async (ctx, { body }) => {
    const { token, validUntil } = await deps.stepUp.prove(ctx, body);
    const message = ctx.text("ok.stepped_up");
    return { body: { message, access_token: token, valid_until: validUntil.toISOString() } };
  });
}
