import { routes } from "@palisade/contract/http/routes";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { PasskeyProofs } from "./passkey-proof.service.ts";
import type { createPasskeys } from "./passkeys.service.ts";

/** The login itself is mounted with the other login. */
export function mountPasskeyRoutes(
  mount: Mount,
  passkeys: ReturnType<typeof createPasskeys>,
  proofs: Pick<PasskeyProofs, "beginLogin">,
): void {
  mount(routes.passkeys.listPasskeys, async (ctx) => ({
    body: { passkeys: await passkeys.list(ctx) },
  }));

  mount(routes.passkeys.beginPasskey, async (ctx) => ({
    body: { options: await passkeys.begin(ctx) },
  }));

  mount(routes.passkeys.addPasskey, async (ctx, { body }) => {
    const { passkey, codes } = await passkeys.add(ctx, body);
    return { body: { passkey, backup_codes: [...codes], message: ctx.text("ok.passkey_added") } };
  });

  mount(routes.passkeys.renamePasskey, async (ctx, { params, body }) => ({
    body: {
      passkey: await passkeys.rename(ctx, params.id, body.name),
      message: ctx.text("ok.passkey_renamed"),
    },
  }));

  mount(routes.passkeys.removePasskey, async (ctx, { params }) => {
    await passkeys.remove(ctx, params.id);
    return { body: { message: ctx.text("ok.passkey_removed") } };
  });

  mount(routes.passkeys.beginPasskeyLogin, async (ctx) => ({
    body: { options: await proofs.beginLogin(ctx) },
  }));
}
