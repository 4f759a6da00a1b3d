import { hashToken, newToken, tokenPrefixes } from "#src/platform/security/tokens.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { TestApp } from "./test-app.ts";

/** An invitation as it is once its mail was sent, without the limits by address. */
export async function inviteByMail(
  testApp: TestApp,
  shieldId: string,
  email: string,
): Promise<{ readonly id: string; readonly token: string }> {
  const invitation = { id: newId(), token: newToken(tokenPrefixes.invitation) };
  const now = testApp.clock.now();
  await testApp.platform.db
    .insertInto("shield_invitations")
    .values({
      id: invitation.id,
      shield_id: shieldId,
      kind: "email",
      typed: email,
      typed_key: email.toLowerCase(),
      user_id: null,
      token_hash: hashToken(invitation.token),
      created_at: now,
      expires_at: new Date(now.getTime() + 7 * 86_400_000),
    })
    .execute();
  return invitation;
}
