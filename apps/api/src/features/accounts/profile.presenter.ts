import type { Profile } from "@palisade/contract/http/account";
import { tokenPrefixes } from "#src/platform/security/tokens.ts";
import type { ProfileRow } from "./profile.repository.ts";

export function presentProfile(row: ProfileRow, discordInviteUrl: string | undefined): Profile {
  return {
    email: row.email,
    pending_email: row.pending_email,
    username: row.username,
    api_key: row.api_key_hint === null ? null : `${tokenPrefixes.apiKey}…${row.api_key_hint}`,
    two_factor_enabled: row.two_factor_enabled_at !== null,
    email_notifications: row.email_notifications ?? true,
    discord_webhook_url: row.webhook_hint,
    discord_invite_url: discordInviteUrl ?? null,
    first_name: row.first_name,
    last_name: row.last_name,
    address_line_1: row.address_line_1,
    address_line_2: row.address_line_2,
    zip_code: row.zip_code,
    city: row.city,
    country: row.country,
    company_name: row.company_name,
    vat_id: row.vat_id,
  };
}
