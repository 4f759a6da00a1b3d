import { z } from "zod";
import { loggedIn } from "./auth.ts";
import { acknowledgement, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";
import { tidyLine } from "./tidy-line.ts";

/** How many passkeys an account may have. */
export const passkeysMax = 10;

const bytes = (max: number) =>
  z
    .string("passkey.invalid")
    .min(1, "passkey.invalid")
    .max(max, "passkey.invalid")
    .regex(/^[\w-]+$/, "passkey.invalid")
    .describe("Base64url");

/** The members that every answer of a browser about a credential has; extensions are not used. */
const credential = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal("public-key", "passkey.invalid"),
} as const;

/** What `navigator.credentials.create()` answers, as JSON. */
export const newCredential = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(8_000),
      attestationObject: bytes(32_000),
      transports: z
        .array(
          z.string("passkey.invalid").regex(/^[a-z-]{1,32}$/, "passkey.invalid"),
          "passkey.invalid",
        )
        .max(10, "passkey.invalid")
        .optional(),
    }),
  })
  .meta({ id: "PasskeyRegistration" });

/** What `navigator.credentials.get()` answers, as JSON. */
export const credentialProof = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(8_000),
      authenticatorData: bytes(8_000),
      signature: bytes(8_000),
      userHandle: bytes(100).optional(),
    }),
  })
  .meta({ id: "PasskeyProof" });

export type NewCredential = z.output<typeof newCredential>;
export type CredentialProof = z.output<typeof credentialProof>;

/** Options for the browser's own call, in the JSON form of WebAuthn level 3. */
export const credentialOptions = z
  .record(z.string(), z.unknown())
  .describe("For the browser's `navigator.credentials`, in the JSON form of WebAuthn");

export const passkey = z
  .object({
    id: uuid,
    name: z.string(),
    is_synced: z.boolean().describe("Its provider keeps a copy, for other devices too"),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
  })
  .meta({ id: "Passkey" });

export type Passkey = z.output<typeof passkey>;

const passkeyName = z.string("required").overwrite(tidyLine).min(1, "required").max(50, "text.max");

export const addPasskeyBody = z.object({ name: passkeyName, credential: newCredential });
export const renamePasskeyBody = z.object({ name: passkeyName });

const base = { family: "api", access: "customer", apiKey: "none" } as const;

const listPasskeys = route({
  id: "passkeys.list",
  method: "GET",
  path: "/profile/passkeys",
  ...base,
  summary: "List passkeys",
  success: 200,
  response: z.object({ passkeys: z.array(passkey) }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

const beginPasskey = route({
  id: "passkeys.begin",
  method: "POST",
  path: "/profile/passkeys/options",
  ...base,
  summary: "Begin to add a passkey",
  success: 200,
  response: z.object({ options: credentialOptions }),
  errors: ["unauthenticated", "step_up_required", "conflict", "list_full"],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
  recent: true,
  // The account changes when the passkey is added.
  audited: false,
});

const addPasskey = route({
  id: "passkeys.add",
  method: "POST",
  path: "/profile/passkeys",
  ...base,
  summary: "Add a passkey",
  body: addPasskeyBody,
  success: 201,
  response: acknowledgement.extend({
    passkey,
    backup_codes: z.array(z.string()).describe("Made where the account has none, else empty"),
  }),
  errors: [
    "unauthenticated",
    "step_up_required",
    "invalid_credentials",
    "conflict",
    "entry_exists",
    "list_full",
  ],
  limits: [{ per: "user", max: 30, windowSeconds: 3600 }],
  recent: true,
});

const renamePasskey = route({
  id: "passkeys.rename",
  method: "PUT",
  path: "/profile/passkeys/:id",
  ...base,
  summary: "Rename a passkey",
  params: z.object({ id: uuid }),
  body: renamePasskeyBody,
  success: 200,
  response: acknowledgement.extend({ passkey }),
  errors: ["unauthenticated", "not_found"],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
});

const removePasskey = route({
  id: "passkeys.remove",
  method: "DELETE",
  path: "/profile/passkeys/:id",
  ...base,
  summary: "Remove a passkey",
  params: z.object({ id: uuid }),
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "step_up_required", "not_found"],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
  recent: true,
});

const beginPasskeyLogin = route({
  id: "passkeys.beginLogin",
  method: "POST",
  path: "/auth/passkey/options",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Begin to log in with a passkey",
  success: 200,
  response: z.object({ options: credentialOptions }),
  errors: ["conflict"],
  limits: [{ per: "ip", max: 100, windowSeconds: 900 }],
  audited: false,
});

const logInWithPasskey = route({
  id: "passkeys.logIn",
  method: "POST",
  path: "/auth/passkey",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Log in with a passkey",
  body: z.object({ credential: credentialProof }),
  success: 200,
  response: loggedIn,
  errors: ["invalid_credentials", "account_blocked", "conflict"],
  limits: [{ per: "ip", max: 100, windowSeconds: 900 }],
});

export const passkeyRoutes = {
  listPasskeys,
  beginPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  beginPasskeyLogin,
  logInWithPasskey,
};
