import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";

const notices = {
  message: new Map<unknown, MessageDescriptor>([
    ["email_confirmed", msg`Email confirmed`],
    ["password_reset", msg`Password reset successfully`],
    ["email_updated", msg`Email updated successfully`],
    ["password_updated", msg`Password updated successfully`],
  ]),
  error: new Map<unknown, MessageDescriptor>([
    ["session_expired", msg`Your session has expired. Please log in again.`],
    ["reset_expired", msg`Your password reset has expired. Please start again.`],
    ["two_factor_required", msg`Set up two-factor authentication first`],
  ]),
};

/** What `?message=` and `?error=` may say: known keys only, never free text from an address. */
export function noticeOf(kind: keyof typeof notices, key: unknown): MessageDescriptor | undefined {
  return notices[kind].get(key);
}
