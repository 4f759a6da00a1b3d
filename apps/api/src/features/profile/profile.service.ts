import type {
  Profile,
  updateNotificationsBody,
  updateProfileBody,
} from "@palisade/contract/http/account";
import type { VatIdCheck } from "@palisade/contract/http/vat";
import { normalizePostcode, normalizeVatId } from "@palisade/contract/http/country-rules";
import type { z } from "zod";
import type { Db, Executor } from "#src/platform/database/db.ts";
import { violatesUnique } from "#src/platform/database/violation.ts";
import { tokenPrefixes } from "#src/platform/security/tokens.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import { saveProfile, selectProfile, type ProfileRow } from "./profile.repository.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { requireRecentAuthentication } from "#src/platform/http/pipeline/recent-authentication.ts";
import { readVatIdCheck } from "#src/features/vat/vat.service.ts";
import { lockCaller } from "#src/features/users/users.service.ts";

export interface ProfileDeps {
  readonly db: Db;
  readonly webhookSealer: Sealer;
  readonly contacts: OperatorContacts;
}

/** Ways to reach the operator, from the settings; an empty e-mail is not configured. */
interface OperatorContacts {
  readonly discordInviteUrl: string | undefined;
  readonly operatorEmail: string;
}

export type ProfileService = ReturnType<typeof createProfileService>;

export function createProfileService(deps: ProfileDeps) {
  async function read(db: Executor, { actor: { userId }, now }: CustomerContext): Promise<Profile> {
    const row = await selectProfile(db, userId, now);
    return presentProfile(row, await readVatIdCheck(db, userId, now), deps.contacts);
  }

  return {
    async get(ctx: CustomerContext): Promise<Profile> {
      return read(deps.db, ctx);
    },

    /** @throws DomainError `username_taken`, also when two callers choose it at the same moment */
    async update(
      ctx: CustomerContext,
      input: z.output<typeof updateProfileBody>,
    ): Promise<Profile> {
      const { userId } = ctx.actor;
      try {
        return await unitOfWork(ctx, async (trx) => {
          await lockCaller(trx, ctx.actor);
          await saveProfile(trx, userId, { ...fieldsOf(input), ...usernameOf(input.username) });
          return read(trx, ctx);
        });
      } catch (error) {
        if (!violatesUnique(error, "profiles_username_key_key")) throw error;
        throw new DomainError("username_taken", {
          issues: [{ path: "username", code: "error.username_taken" }],
          cause: error,
        });
      }
    },

    async updateNotifications(
      ctx: CustomerContext,
      input: z.output<typeof updateNotificationsBody>,
    ): Promise<void> {
      const { userId } = ctx.actor;
      const webhook = input.discord_webhook_url;
      // It goes on getting the owner's notices when a stolen session has long ended.
      if (webhook !== undefined) requireRecentAuthentication(ctx);
      await unitOfWork(ctx, async (trx) => {
        await lockCaller(trx, ctx.actor);
        await saveProfile(trx, userId, {
          email_notifications: input.email_notifications,
          ...(webhook === undefined
            ? {}
            : {
                sealed_webhook: webhook === null ? null : deps.webhookSealer.seal(webhook, userId),
                webhook_hint: webhook === null ? null : maskWebhook(webhook),
              }),
        });
      });
    },
  };
}

function fieldsOf(input: z.output<typeof updateProfileBody>) {
  return {
    first_name: input.first_name,
    last_name: input.last_name,
    address_line_1: input.address_line_1,
    address_line_2: input.address_line_2 || null,
    zip_code: normalizePostcode(input.zip_code) || null,
    city: input.city,
    country: input.country,
    company_name: input.company_name || null,
    vat_id: input.vat_id ? normalizeVatId(input.vat_id) : null,
  };
}

function usernameOf(username: string | null | undefined) {
  if (username === undefined) return {};
  return { username, username_key: username?.toLowerCase() ?? null };
}

/** Enough to tell one from another: the id in the middle is no secret, the token behind it is. */
function maskWebhook(url: string): string {
  const parts = url.split("/");
  const token = parts.pop() ?? "";
  return `${parts.join("/")}/…${token.slice(-4)}`;
}

function presentProfile(
  row: ProfileRow,
  vatIdCheck: VatIdCheck,
  contacts: OperatorContacts,
): Profile {
  return {
    email: row.email,
    pending_email: row.pending_email,
    username: row.username,
    api_key: row.api_key_hint === null ? null : `${tokenPrefixes.apiKey}…${row.api_key_hint}`,
    two_factor_enabled: row.two_factor_enabled_at !== null,
    email_notifications: row.email_notifications ?? true,
    discord_webhook_url: row.webhook_hint,
    discord_invite_url: contacts.discordInviteUrl ?? null,
    operator_email: contacts.operatorEmail || null,
    first_name: row.first_name,
    last_name: row.last_name,
    address_line_1: row.address_line_1,
    address_line_2: row.address_line_2,
    zip_code: row.zip_code,
    city: row.city,
    country: row.country,
    company_name: row.company_name,
    vat_id: row.vat_id,
    vat_id_check: vatIdCheck,
  };
}
