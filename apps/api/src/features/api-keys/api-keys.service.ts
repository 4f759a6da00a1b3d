import type { AccountApiKey, createApiKeyBody } from "@palisade/contract/http/account";
import type { z } from "zod";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { newToken, tokenPrefixes } from "#src/platform/security/tokens.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import {
  hasKey,
  insertKey,
  revokeKeys,
  revokeNamedKey,
  revokeProfileKey,
  selectNamedKeys,
  selectSealedProfileKey,
} from "./api-keys.repository.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { lockCaller } from "#src/features/users/users.service.ts";

const namedKeysMax = 20;
const dayMs = 86_400_000;

export interface ApiKeyDeps {
  readonly db: Db;
  readonly keySealer: Sealer;
  readonly notices: AccountNotices;
}

/** The fate of the API keys that worked when the password was replaced. */
export type KeysAfterwards = "none" | "kept" | "revoked";

/** To be called with the user's row locked, so that no call makes a key at the same time. */
export async function settleApiKeys(
  trx: Trx,
  { userId, keep, now }: { readonly userId: string; readonly keep: boolean; readonly now: Date },
): Promise<KeysAfterwards> {
  if (keep) return (await hasKey(trx, userId, now)) ? "kept" : "none";
  return (await revokeKeys(trx, userId, now)) > 0 ? "revoked" : "none";
}

/**
 * The profile's own key can be read again and is kept encrypted for that; named keys are kept as
 * hashes only. Both are found by hash, so that either stops the moment its row says so.
 */
export function createApiKeys({ db, keySealer, notices }: ApiKeyDeps) {
  return {
    /** @throws DomainError `not_found` before the first one was made */
    async reveal(ctx: CustomerContext): Promise<string> {
      return unitOfWork(ctx, async (trx) => {
        await lockCaller(trx, ctx.actor);
        const row = await selectSealedProfileKey(trx, ctx.actor.userId);
        if (row?.sealed == null) throw new DomainError("not_found");
        return keySealer.open(row.sealed, ctx.actor.userId);
      });
    },

    async regenerate(ctx: CustomerContext): Promise<string> {
      const { userId } = ctx.actor;
      const token = newToken(tokenPrefixes.apiKey);
      await unitOfWork(ctx, async (trx) => {
        await lockCaller(trx, ctx.actor);
        await revokeProfileKey(trx, userId, ctx.now);
        await insertKey(trx, {
          id: newId(),
          user_id: userId,
          name: "",
          token,
          scope: "write",
          is_profile: true,
          sealed: keySealer.seal(token, userId),
          hint: token.slice(-4),
          created_at: ctx.now,
        });
        await notices.send(trx, ctx, ctx.actor, "api-key-regenerated");
      });
      return token;
    },

    async list(ctx: CustomerContext): Promise<AccountApiKey[]> {
      return (await selectNamedKeys(db, ctx.actor.userId)).map(presentKey);
    },

    async create(
      ctx: CustomerContext,
      input: z.output<typeof createApiKeyBody>,
    ): Promise<{ token: string; key: AccountApiKey }> {
      const { userId } = ctx.actor;
      const token = newToken(tokenPrefixes.apiKey);
      const row = {
        id: newId(),
        name: input.name,
        scope: input.scope,
        created_at: ctx.now,
        last_used_at: null,
        expires_at: expiryOf(input.expires_in_days, ctx.now),
      };
      await unitOfWork(ctx, async (trx) => {
        await lockCaller(trx, ctx.actor);
        const keys = await selectNamedKeys(trx, userId);
        if (keys.length >= namedKeysMax) {
          throw new DomainError("list_full", { text: "api_keys.full" });
        }
        await insertKey(trx, { ...row, user_id: userId, token, hint: token.slice(-4) });
        await notices.send(trx, ctx, ctx.actor, "api-key-created", {
          name: row.name,
          scope: row.scope,
          ...(row.expires_at && { expiresAt: row.expires_at.toISOString() }),
        });
      });
      return { token, key: presentKey(row) };
    },

    /** @throws DomainError `not_found` for keys of others too */
    async remove(ctx: CustomerContext, id: string): Promise<void> {
      await unitOfWork(ctx, async (trx) => {
        const name = await revokeNamedKey(trx, ctx.actor.userId, id, ctx.now);
        if (name === undefined) throw new DomainError("not_found");
      });
    },
  };
}

function expiryOf(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() + days * dayMs);
}

function presentKey(row: Awaited<ReturnType<typeof selectNamedKeys>>[number]): AccountApiKey {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}
