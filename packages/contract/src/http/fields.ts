import { z } from "zod";

/** Building blocks shared by several resources. Error texts are keys of `texts/`. */

export const uuid = z.uuid("id.invalid");

export const timestamp = z.iso.datetime({ offset: true }).describe("RFC 3339, UTC");

export const email = z
  .string("required")
  .trim()
  .min(1, "required")
  .max(254, "email.invalid")
  .pipe(z.email("email.invalid"))
  .describe("Compared without regard to case");

/** A password where one is chosen; logging in checks presence only. */
export const newPassword = z.string("required").min(9, "password.min").max(256, "password.max");

/** One-time code: 6 digits of an authenticator, 8 characters by mail or backup code. */
export const oneTimeCode = z.string("required").trim().min(6, "code.min").max(8, "code.max");

/** An answer that only says what happened, in the language of the request. */
export const acknowledgement = z.object({ message: z.string() });

export const serverParams = z.object({ id: uuid });
