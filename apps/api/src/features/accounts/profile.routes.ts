import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { createAccountDeletion } from "./account-deletion.service.ts";
import { exportAccount } from "./account-export.service.ts";
import type { createAccountSessions } from "./account-sessions.service.ts";
import type { createApiKeys } from "./api-keys.service.ts";
import type { createEmailChange } from "./email-change.service.ts";
import type { createPasswordChange } from "./password-change.service.ts";
import type { ProfileService } from "./profile.service.ts";

export interface ProfileRoutesDeps {
  readonly db: Db;
  readonly addressChainKey: Buffer;
  readonly deleteAccount: ReturnType<typeof createAccountDeletion>;
  readonly profile: ProfileService;
  readonly emailChange: ReturnType<typeof createEmailChange>;
  readonly changePassword: ReturnType<typeof createPasswordChange>;
  readonly sessions: ReturnType<typeof createAccountSessions>;
  readonly apiKeys: ReturnType<typeof createApiKeys>;
}

export function mountProfileRoutes(mount: Mount, deps: ProfileRoutesDeps): void {
  const { profile, emailChange, changePassword } = deps;

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

  mount(routes.account.updatePassword, async (ctx, { body }) => {
    await changePassword(ctx, body);
    return { body: { message: ctx.text("ok.password_updated") } };
  });

  mount(routes.account.exportAccount, async (ctx) => ({
    body: { exported_at: ctx.now.toISOString(), account: await exportAccount(deps, ctx) },
    headers: { "content-disposition": 'attachment; filename="palisade-account.json"' },
  }));

  mount(routes.account.deleteAccount, async (ctx, { body }) => {
    await deps.deleteAccount(ctx, body.email);
    return { body: { message: ctx.text("ok.account_deleted") } };
  });

  mountSessionRoutes(mount, deps.sessions);
  mountApiKeyRoutes(mount, deps.apiKeys);
}

function mountSessionRoutes(mount: Mount, sessions: ProfileRoutesDeps["sessions"]): void {
  mount(routes.account.listSessions, async (ctx) => ({
    body: { sessions: await sessions.list(ctx) },
  }));

  mount(routes.account.revokeSession, async (ctx, { params }) => {
    await sessions.revoke(ctx, params.id);
    return { body: { message: ctx.text("ok.session_revoked") } };
  });

  mount(routes.account.revokeSessions, async (ctx) => {
    await sessions.revokeAll(ctx);
    return { body: { message: ctx.text("ok.sessions_revoked") } };
  });
}

function mountApiKeyRoutes(mount: Mount, apiKeys: ProfileRoutesDeps["apiKeys"]): void {
  mount(routes.account.revealApiKey, async (ctx) => ({
    body: { api_key: await apiKeys.reveal(ctx) },
  }));

  mount(routes.account.regenerateApiKey, async (ctx) => {
    const key = await apiKeys.regenerate(ctx);
    return { body: { api_key: key, message: ctx.text("ok.api_key_regenerated") } };
  });

  mount(routes.account.listApiKeys, async (ctx) => ({
    body: { api_keys: await apiKeys.list(ctx) },
  }));

  mount(routes.account.createApiKey, async (ctx, { body }) => {
    const { token, key } = await apiKeys.create(ctx, body);
    return { body: { api_key: token, key } };
  });

  mount(routes.account.deleteApiKey, async (ctx, { params }) => {
    await apiKeys.remove(ctx, params.id);
    return { body: { message: ctx.text("ok.api_key_deleted") } };
  });
}
