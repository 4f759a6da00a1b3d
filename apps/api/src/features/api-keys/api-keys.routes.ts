import { routes } from "@palisade/contract/http/routes";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { createApiKeys } from "./api-keys.service.ts";

export function mountApiKeyRoutes(mount: Mount, apiKeys: ReturnType<typeof createApiKeys>): void {
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
