import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";

/** What `?message=` and `?error=` may say: known keys only, never free text from an address. */
export const notices: Record<"message" | "error", Record<string, MessageDescriptor>> = {
  message: {
    email_confirmed: msg`Email confirmed`,
    password_reset: msg`Password reset successfully`,
    email_updated: msg`Email updated successfully`,
    password_updated: msg`Password updated successfully`,
  },
  error: {
    session_expired: msg`Your session has expired. Please log in again.`,
    link_expired: msg`This link has expired or was used already.`,
  },
};
