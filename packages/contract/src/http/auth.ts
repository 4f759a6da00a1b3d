import { z } from "zod";
import { acknowledgement, email, newPassword, oneTimeCode, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";
import { staffRoles } from "./staff-roles.ts";

export const roles = ["customer", "staff"] as const;

/** The signed-in user. `balance` is for display, `balance_cents` is exact. */
export const currentUser = z
  .object({
    id: uuid,
    email: z.string(),
    role: z.enum(roles),
    staff_roles: z
      .array(z.enum(staffRoles))
      .describe("Parts of the staff area; empty for customers"),
    balance: z.string().describe("Decimal string with two digits, EUR"),
    balance_cents: z.int(),
    two_factor_enabled: z.boolean(),
    two_factor_required: z
      .boolean()
      .describe("Staff without two-factor: everything for staff answers 403 until it is on"),
    current_subscription_plan: z.object({
      name: z.string(),
      plan_id: uuid.nullable(),
      support_plan_id: uuid.nullable(),
    }),
    created_at: timestamp,
  })
  .meta({ id: "CurrentUser" });

export type CurrentUser = z.infer<typeof currentUser>;

/** Without the check across fields, so that a form can pick single fields from it. */
const registerFields = z.object({
  email,
  password: newPassword,
  password_confirmation: z.string("required").min(1, "required"),
  accept_privacy_policy: z.literal(true, "terms.required"),
});

export const registerBody = registerFields.refine((b) => b.password === b.password_confirmation, {
  path: ["password_confirmation"],
  message: "password.mismatch",
});

export const verifyEmailBody = z.object({ code: oneTimeCode, email: email.optional() });

/** Both spellings of the flag are sent, in either answer. */
export const loggedIn = z.object({
  requires_two_factor: z.literal(false),
  requires_2fa: z.literal(false),
  access_token: z.string().describe("Opaque bearer token"),
  user: currentUser,
  message: z.string(),
});

/** The password was right; the call is to be made again with `two_factor_code`. */
export const codeDemanded = z.object({
  requires_two_factor: z.literal(true),
  requires_2fa: z.literal(true),
  message: z.string(),
});

export const loginBody = z.object({
  email,
  password: z.string("required").min(1, "required").max(256, "password.max"),
  two_factor_code: oneTimeCode.optional(),
});

/** Registering mails a code as resending does. */
const confirmationMails = {
  per: "email",
  max: 10,
  windowSeconds: 86_400,
  purpose: "confirmation codes",
} as const;

export const register = route({
  id: "auth.register",
  method: "POST",
  path: "/auth/register",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Create an account",
  body: registerBody,
  success: 201,
  response: acknowledgement,
  errors: [],
  limits: [{ per: "ip", max: 30, windowSeconds: 3600 }, confirmationMails],
});

export const verifyEmailCode = route({
  id: "auth.verifyEmailCode",
  method: "POST",
  path: "/auth/verify-email-code",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Confirm the e-mail",
  body: verifyEmailBody,
  success: 200,
  response: acknowledgement,
  errors: ["invalid_code"],
  limits: [{ per: "ip", max: 60, windowSeconds: 3600 }],
});

export const resendVerificationCode = route({
  id: "auth.resendVerificationCode",
  method: "POST",
  path: "/auth/resend-verification-code",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Mail another confirmation code",
  body: z.object({ email }),
  success: 200,
  response: acknowledgement,
  errors: [],
  limits: [
    { per: "email", max: 1, windowSeconds: 120, text: "code.wait" },
    confirmationMails,
    { per: "ip", max: 30, windowSeconds: 3600 },
  ],
});

export const login = route({
  id: "auth.login",
  method: "POST",
  path: "/auth/login",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Log in",
  body: loginBody,
  success: 200,
  response: z.discriminatedUnion("requires_two_factor", [loggedIn, codeDemanded]),
  errors: ["invalid_credentials", "email_unverified", "account_blocked", "invalid_code"],
  limits: [
    { per: "ip", max: 100, windowSeconds: 900 },
    { per: "ip+email", max: 20, windowSeconds: 900, failuresOnly: true },
    { per: "device+email", max: 20, windowSeconds: 900, failuresOnly: true },
    // Right passwords too, since checking one is slow by design.
    { per: "device+email", max: 200, windowSeconds: 3600 },
    { per: "network+email", max: 50, windowSeconds: 3600, failuresOnly: true },
    { per: "stranger+email", max: 100, windowSeconds: 3600, failuresOnly: true },
  ],
});

export const user = route({
  id: "auth.user",
  method: "GET",
  path: "/auth/user",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "The signed-in user",
  success: 200,
  response: z.object({ user: currentUser }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const logout = route({
  id: "auth.logout",
  method: "POST",
  path: "/auth/logout",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Log out",
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated"],
  limits: defaultLimits.ending,
});

export const authRoutes = {
  register,
  verifyEmailCode,
  resendVerificationCode,
  login,
  user,
  logout,
};
