import { z } from "zod";
import { acknowledgement, oneTimeCode, timestamp } from "./fields.ts";
import { credentialOptions, credentialProof } from "./passkeys.ts";
import { passwordChecks } from "./password-checks.ts";
import { defaultLimits, route } from "./route.ts";

const code = z.object({ code: oneTimeCode });

export const setUpTwoFactor = route({
  id: "twoFactor.setup",
  method: "POST",
  path: "/profile/two-factor/setup",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Begin with two-factor authentication",
  success: 200,
  response: z.object({
    secret: z.string().describe("Base32"),
    qr_code: z.string().describe("data:image/svg+xml or image/png URI of the otpauth address"),
    otpauth_url: z.string(),
  }),
  errors: ["unauthenticated", "conflict"],
  limits: [{ per: "user", max: 30, windowSeconds: 3600 }],
  // The security page shows a secret when it opens; the account changes when it is enabled.
  audited: false,
});

export const enableTwoFactor = route({
  id: "twoFactor.enable",
  method: "POST",
  path: "/profile/two-factor/enable",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Turn two-factor authentication on",
  body: code,
  success: 200,
  response: z.object({ message: z.string(), backup_codes: z.array(z.string()) }),
  errors: ["unauthenticated", "step_up_required", "invalid_code", "conflict"],
  limits: [{ per: "user", max: 20, windowSeconds: 600 }],
  recent: true,
});

export const disableTwoFactor = route({
  id: "twoFactor.disable",
  method: "POST",
  path: "/profile/two-factor/disable",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Turn two-factor authentication off",
  body: code,
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "step_up_required", "invalid_code", "conflict", "forbidden"],
  limits: [{ per: "user", max: 20, windowSeconds: 600 }],
  recent: "with passkeys",
});

export const getBackupCodes = route({
  id: "twoFactor.backupCodes",
  method: "GET",
  path: "/profile/two-factor/backup-codes",
  family: "api",
  access: "customer",
  apiKey: "none",
  notInViews: true,
  summary: "Backup codes, or how many are left",
  success: 200,
  response: z.object({
    backup_codes: z.array(z.string()).describe("Empty once the 10 minutes are over"),
    left: z.int(),
    made_at: timestamp.nullable(),
  }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const regenerateBackupCodes = route({
  id: "twoFactor.regenerateBackupCodes",
  method: "POST",
  path: "/profile/two-factor/backup-codes/regenerate",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Make new backup codes",
  body: code.partial(),
  success: 200,
  response: z.object({ message: z.string(), backup_codes: z.array(z.string()) }),
  errors: ["unauthenticated", "step_up_required", "invalid_code", "conflict"],
  limits: [{ per: "user", max: 20, windowSeconds: 600 }],
  recent: "with passkeys",
});

/** Proofs of who a caller is, the weakest first. A code is an authenticator's or a backup code. */
export const authFactors = ["password", "code", "passkey"] as const;
export type AuthFactor = (typeof authFactors)[number];

/** Recent authentication lasts so long; what needs it answers 403 `step_up_required` otherwise. */
export const stepUpMinutes = 10;

export const beginStepUp = route({
  id: "twoFactor.beginStepUp",
  method: "POST",
  path: "/profile/step-up/begin",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Ask what a step-up needs",
  success: 200,
  response: z.object({
    factor: z.enum(authFactors).describe("The strongest one of the account"),
    passkey_options: credentialOptions.nullable().describe("Null for the other factors"),
  }),
  errors: ["unauthenticated", "conflict"],
  limits: [{ per: "user", max: 60, windowSeconds: 600 }],
  // The account changes with the step-up itself.
  audited: false,
});

export const stepUp = route({
  id: "twoFactor.stepUp",
  method: "POST",
  path: "/profile/step-up",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Prove again who is there",
  body: z
    .object({
      current_password: z.string("required").min(1, "required").max(256, "password.max").optional(),
      code: oneTimeCode.optional(),
      passkey: credentialProof.optional(),
    })
    .refine((b) => [b.current_password, b.code, b.passkey].some((proof) => proof !== undefined), {
      path: ["current_password"],
      message: "required",
    }),
  success: 200,
  response: z.object({
    message: z.string(),
    access_token: z.string().describe("Replaces the one of this call, which no longer works"),
    valid_until: timestamp,
  }),
  errors: ["unauthenticated", "invalid_credentials", "invalid_code"],
  limits: [{ per: "user", max: 20, windowSeconds: 600 }, passwordChecks],
});

export const twoFactorRoutes = {
  setUpTwoFactor,
  enableTwoFactor,
  disableTwoFactor,
  getBackupCodes,
  regenerateBackupCodes,
  beginStepUp,
  stepUp,
};
