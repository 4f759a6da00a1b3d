import { routes } from "@palisade/contract/http/routes";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { createAccountDeletion } from "./account-deletion.service.ts";
import type { createAccountExport } from "./account-export.service.ts";

export interface AccountLifecycleRoutesDeps {
  readonly deleteAccount: ReturnType<typeof createAccountDeletion>;
  readonly exportAccount: ReturnType<typeof createAccountExport>;
}

export function mountAccountLifecycleRoutes(
  mount: Mount,
  { deleteAccount, exportAccount }: AccountLifecycleRoutesDeps,
): void {
  mount(routes.account.exportAccount, async (ctx) => ({
    body: { exported_at: ctx.now.toISOString(), account: await exportAccount(ctx) },
    headers: { "content-disposition": 'attachment; filename="palisade-account.json"' },
  }));

  mount(routes.account.deleteAccount, async (ctx, { body }) => {
    await deleteAccount(ctx, body.email);
    return { body: { message: ctx.text("ok.account_deleted") } };
  });
}
