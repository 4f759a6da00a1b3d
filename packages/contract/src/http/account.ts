import { z } from "zod";
import { countryIssues } from "./country-rules.ts";
import { acknowledgement, email, timestamp, uuid } from "./fields.ts";
import { passwordChecks } from "./password-checks.ts";
import { defaultLimits, route } from "./route.ts";
import { tidyLine } from "./tidy-line.ts";
import { vatIdCheck } from "./vat.ts";

/** Latin or Cyrillic letters, with space, hyphen and apostrophe between them. */
const personName = z
  .string("required")
  .trim()
  .min(1, "required")
  .min(2, "name.short")
  .max(50, "name.long")
  .regex(/^[A-Za-zÀ-ÖØ-öø-ÿĀ-žЀ-ӿ]+(?:[ '’-][A-Za-zÀ-ÖØ-öø-ÿĀ-žЀ-ӿ]+)*$/, "name.letters");

const optionalLine = (max: number) =>
  z.string("invalid").overwrite(tidyLine).max(max, "text.max").nullable().default(null);

/** The rules of single fields; those of a country come on top in `updateProfileBody`. */
export const profileFields = z.object({
  first_name: personName,
  last_name: personName,
  address_line_1: z.string("required").overwrite(tidyLine).min(1, "required").max(50, "text.max"),
  address_line_2: optionalLine(50),
  zip_code: z
    .string("required")
    .overwrite(tidyLine)
    .max(12, "zip_code.invalid")
    .describe("Empty only where the country has no postcodes"),
  city: z.string("required").overwrite(tidyLine).min(1, "required").max(30, "text.max"),
  country: z
    .string("required")
    .min(1, "required")
    .regex(/^[A-Z]{2}$/, "country.invalid")
    .describe("ISO 3166-1 alpha-2"),
  company_name: optionalLine(50),
  vat_id: z
    .string("vat_id.invalid")
    .overwrite(tidyLine)
    .max(30, "vat_id.invalid")
    .nullable()
    .default(null),
});

/** Optional; unique without regard to case. */
export const username = z
  .string("invalid")
  .trim()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{1,30}[A-Za-z0-9_]$/, "username.invalid")
  .nullable();

export const profile = z
  .object({
    email: z.string(),
    pending_email: z.string().nullable().describe("Waiting for the link sent to it"),
    username: z.string().nullable(),
    api_key: z.string().nullable().describe("Masked, e.g. `psk_…x7Qz`; null before the first"),
    two_factor_enabled: z.boolean(),
    email_notifications: z.boolean(),
    discord_webhook_url: z.string().nullable().describe("Masked"),
    discord_invite_url: z.string().nullable().describe("Of the operator, from settings"),
    operator_email: z.string().nullable().describe("Address for questions, from settings"),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    address_line_1: z.string().nullable(),
    address_line_2: z.string().nullable(),
    zip_code: z.string().nullable(),
    city: z.string().nullable(),
    country: z.string().nullable(),
    company_name: z.string().nullable(),
    vat_id: z.string().nullable(),
    vat_id_check: vatIdCheck,
  })
  .meta({ id: "Profile" });

export const accountSession = z
  .object({
    id: uuid,
    device: z.string().describe("Browser and system in words, e.g. `Firefox on Linux`"),
    ip: z.string().describe("Where it was last used from"),
    created_at: timestamp,
    last_seen_at: timestamp,
    is_current: z.boolean(),
  })
  .meta({ id: "AccountSession" });

export const apiKeyScopes = ["read", "write"] as const;

export const accountApiKey = z
  .object({
    id: uuid,
    name: z.string(),
    scope: z.enum(apiKeyScopes),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: "AccountApiKey" });

export type Profile = z.infer<typeof profile>;
export type AccountSession = z.infer<typeof accountSession>;
export type AccountApiKey = z.infer<typeof accountApiKey>;

const base = { family: "api", access: "customer" } as const;

export const getProfile = route({
  id: "account.profile",
  method: "GET",
  path: "/profile",
  ...base,
  apiKey: "read",
  summary: "The caller's profile",
  success: 200,
  response: z.object({ profile }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

const ofCountry = new Set<PropertyKey | undefined>(["country", "zip_code", "vat_id"]);
const concernsCountry = (issue: { readonly path?: readonly PropertyKey[] | undefined }): boolean =>
  ofCountry.has(issue.path?.[0]);

/** `username` left out stays as it is; null gives it up. */
export const updateProfileBody = profileFields
  .extend({ username: username.optional() })
  .superRefine(
    (fields, context) => {
      for (const { path, message } of countryIssues(fields)) {
        context.addIssue({ code: "custom", path: [path], message });
      }
    },
    // Whatever is wrong elsewhere: all that is wrong is told at once.
    { when: ({ value, issues }) => value instanceof Object && !issues.some(concernsCountry) },
  );

export const updateProfile = route({
  id: "account.updateProfile",
  method: "PUT",
  path: "/profile",
  ...base,
  apiKey: "none",
  summary: "Change name, address and company",
  body: updateProfileBody,
  success: 200,
  response: z.object({ profile, message: z.string() }),
  errors: ["unauthenticated", "username_taken"],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
});

export const updateEmailBody = z
  .object({ email, email_confirmation: z.string("required").trim().min(1, "required") })
  .refine((b) => b.email === b.email_confirmation, {
    path: ["email_confirmation"],
    message: "email.mismatch",
  });

export const updateEmail = route({
  id: "account.updateEmail",
  method: "PUT",
  path: "/profile/email",
  ...base,
  apiKey: "none",
  summary: "Change the e-mail",
  body: updateEmailBody,
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "step_up_required"],
  limits: [
    { per: "user", max: 5, windowSeconds: 3600 },
    { per: "email", max: 1, windowSeconds: 120 },
    { per: "email", max: 10, windowSeconds: 86_400 },
  ],
  recent: true,
});

export const confirmEmailChange = route({
  id: "account.confirmEmail",
  method: "POST",
  path: "/profile/email/confirm",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Confirm the new e-mail",
  body: z.object({ token: z.string("required").min(16, "required").max(200, "required") }),
  success: 200,
  response: acknowledgement,
  errors: ["invalid_code", "email_taken"],
  limits: [{ per: "ip", max: 60, windowSeconds: 3600 }],
});

export const updatePasswordBody = z
  .object({
    current_password: z.string("required").min(1, "required").max(256, "password.max"),
    password: z.string("required").min(9, "password.short").max(256, "password.max"),
    password_confirmation: z.string("required").min(1, "required"),
    keep_api_keys: z
      .boolean("boolean.invalid")
      .default(false)
      .describe("True: API keys keep working; otherwise they are revoked"),
  })
  .refine((b) => b.password === b.password_confirmation, {
    path: ["password_confirmation"],
    message: "password.mismatch",
  });

export const updatePassword = route({
  id: "account.updatePassword",
  method: "PUT",
  path: "/profile/password",
  ...base,
  apiKey: "none",
  summary: "Change the password",
  body: updatePasswordBody,
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "step_up_required", "invalid_credentials"],
  limits: [{ per: "user", max: 20, windowSeconds: 600 }, passwordChecks],
  recent: "with a second factor",
});

export const updateNotificationsBody = z.object({
  email_notifications: z.boolean("boolean.invalid"),
  discord_webhook_url: z
    .url("discord.invalid")
    .max(300, "discord.invalid")
    .regex(
      /^https:\/\/(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]+$/,
      "discord.invalid",
    )
    .nullable()
    .optional()
    .describe("Left out: as it is"),
});

export const updateNotifications = route({
  id: "account.updateNotifications",
  method: "PUT",
  path: "/profile/notifications",
  ...base,
  apiKey: "none",
  summary: "Change what is notified, and where",
  body: updateNotificationsBody,
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "step_up_required"],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
  recent: "some fields",
});

export const regenerateApiKey = route({
  id: "account.regenerateApiKey",
  method: "POST",
  path: "/profile/regenerate-api-key",
  ...base,
  apiKey: "none",
  summary: "Make the profile's API key anew",
  success: 200,
  response: z.object({ api_key: z.string(), message: z.string() }),
  errors: ["unauthenticated", "step_up_required"],
  limits: [{ per: "user", max: 20, windowSeconds: 3600 }],
  recent: true,
});

export const revealApiKey = route({
  id: "account.revealApiKey",
  method: "POST",
  path: "/profile/api-key/reveal",
  ...base,
  apiKey: "none",
  summary: "Show the profile's API key in full",
  success: 200,
  response: z.object({ api_key: z.string() }),
  errors: ["unauthenticated", "step_up_required", "not_found"],
  limits: [{ per: "user", max: 30, windowSeconds: 3600 }],
  recent: true,
});

export const listSessions = route({
  id: "account.sessions",
  method: "GET",
  path: "/profile/sessions",
  ...base,
  apiKey: "none",
  summary: "Where the account is signed in",
  success: 200,
  response: z.object({ sessions: z.array(accountSession) }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const revokeSession = route({
  id: "account.revokeSession",
  method: "DELETE",
  path: "/profile/sessions/:id",
  ...base,
  apiKey: "none",
  summary: "End one session",
  params: z.object({ id: uuid }),
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "step_up_required", "not_found"],
  limits: defaultLimits.ending,
  recent: true,
});

export const revokeSessions = route({
  id: "account.revokeSessions",
  method: "DELETE",
  path: "/profile/sessions",
  ...base,
  apiKey: "none",
  summary: "End every session",
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "step_up_required"],
  limits: defaultLimits.ending,
  recent: true,
});

export const listApiKeys = route({
  id: "account.apiKeys",
  method: "GET",
  path: "/profile/api-keys",
  ...base,
  apiKey: "none",
  summary: "List further API keys",
  success: 200,
  response: z.object({ api_keys: z.array(accountApiKey) }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const createApiKeyBody = z.object({
  name: z.string("required").overwrite(tidyLine).min(1, "required").max(50, "text.max"),
  scope: z.enum(apiKeyScopes, "scope.invalid"),
  expires_in_days: z.int("invalid").min(1, "invalid").max(3650, "invalid").nullable().default(null),
});

export const createApiKey = route({
  id: "account.createApiKey",
  method: "POST",
  path: "/profile/api-keys",
  ...base,
  apiKey: "none",
  summary: "Create a further API key",
  body: createApiKeyBody,
  success: 201,
  response: z.object({ api_key: z.string(), key: accountApiKey }),
  errors: [
    "unauthenticated",
    "step_up_required",
    "list_full",
    "idempotency_mismatch",
    "idempotency_in_progress",
  ],
  limits: [{ per: "user", max: 30, windowSeconds: 3600 }],
  idempotent: true,
  recent: true,
  answersSecret: true,
});

export const deleteApiKey = route({
  id: "account.deleteApiKey",
  method: "DELETE",
  path: "/profile/api-keys/:id",
  ...base,
  apiKey: "none",
  summary: "Delete a further API key",
  params: z.object({ id: uuid }),
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "step_up_required", "not_found"],
  limits: defaultLimits.ending,
  recent: true,
});

export const exportAccount = route({
  id: "account.export",
  method: "GET",
  path: "/profile/export",
  ...base,
  apiKey: "none",
  notInViews: true,
  summary: "Export everything kept about the caller",
  success: 200,
  response: z.object({ exported_at: timestamp, account: z.record(z.string(), z.unknown()) }),
  errors: ["unauthenticated", "step_up_required"],
  limits: [{ per: "user", max: 10, windowSeconds: 3600 }],
  recent: true,
});

export const deleteAccount = route({
  id: "account.delete",
  method: "POST",
  path: "/profile/delete",
  ...base,
  apiKey: "none",
  summary: "Delete the account",
  body: z.object({
    email: z.string("required").trim().min(1, "required").describe("The caller's own, typed"),
  }),
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "step_up_required", "conflict"],
  limits: [{ per: "user", max: 5, windowSeconds: 3600 }],
  recent: true,
});

export const accountRoutes = {
  getProfile,
  updateProfile,
  updateEmail,
  confirmEmailChange,
  updatePassword,
  updateNotifications,
  regenerateApiKey,
  revealApiKey,
  listSessions,
  revokeSession,
  revokeSessions,
  listApiKeys,
  createApiKey,
  deleteApiKey,
  exportAccount,
  deleteAccount,
};
