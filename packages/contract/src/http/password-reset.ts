import { z } from "zod";
import { acknowledgement, email, newPassword, oneTimeCode } from "./fields.ts";
import { route } from "./route.ts";

const resetFields = z.object({
  email,
  code: oneTimeCode,
  password: newPassword,
  password_confirmation: z.string("required").min(1, "required"),
});

export const resetPasswordBody = resetFields.refine((b) => b.password === b.password_confirmation, {
  path: ["password_confirmation"],
  message: "password.mismatch",
});

const cooldown = { max: 1, windowSeconds: 120, text: "code.wait", purpose: "reset codes" } as const;
/** Few: each is a mail that the owner of the address may not have asked for. */
const daily = { max: 5, windowSeconds: 86_400, purpose: "reset codes" } as const;

const mailLimits = [
  { per: "device+email", ...cooldown },
  { per: "device+email", ...daily, max: 10 },
  { per: "network+email", ...cooldown },
  { per: "network+email", ...daily },
  { per: "stranger+email", ...cooldown },
  { per: "stranger+email", ...daily },
  { per: "ip", max: 30, windowSeconds: 3600 },
] as const;

const guessLimits = [
  { per: "ip", max: 60, windowSeconds: 3600 },
  { per: "device+email", max: 60, windowSeconds: 3600 },
] as const;

export const forgotPassword = route({
  id: "auth.forgotPassword",
  method: "POST",
  path: "/auth/forgot-password",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Mail a reset code",
  body: z.object({ email }),
  success: 200,
  response: acknowledgement,
  errors: [],
  limits: mailLimits,
});

export const resendResetCode = route({
  id: "auth.resendResetCode",
  method: "POST",
  path: "/auth/resend-reset-code",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Mail another reset code",
  body: z.object({ email }),
  success: 200,
  response: acknowledgement,
  errors: [],
  limits: mailLimits,
});

export const verifyResetCode = route({
  id: "auth.verifyResetCode",
  method: "POST",
  path: "/auth/verify-reset-code",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Check a reset code",
  body: z.object({ email, code: oneTimeCode }),
  success: 200,
  response: acknowledgement,
  errors: ["invalid_code"],
  limits: guessLimits,
});

export const resetPassword = route({
  id: "auth.resetPassword",
  method: "POST",
  path: "/auth/reset-password-with-code",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Set a new password with a reset code",
  body: resetPasswordBody,
  success: 200,
  response: acknowledgement,
  errors: ["invalid_code"],
  limits: guessLimits,
});

export const passwordResetRoutes = {
  forgotPassword,
  resendResetCode,
  verifyResetCode,
  resetPassword,
};
