/** How often a session may name the account's password in all: a stolen one does not guess it. */
export const passwordChecks = {
  per: "user",
  max: 50,
  windowSeconds: 86_400,
  purpose: "the current password",
} as const;
