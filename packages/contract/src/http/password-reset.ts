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

const mailLimits = [
  { per: "email", max: 1, windowSeconds: 120, text: "code.wait", purpose: "reset codes" },
  { per: "email", max: 10, windowSeconds: 86_400, purpose: "reset codes" },
  { per: "ip", max: 30, windowSeconds: 3600 },
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
  limits: [{ per: "ip", max: 60, windowSeconds: 3600 }],
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
  limits: [{ per: "ip", max: 60, windowSeconds: 3600 }],
});

export const passwordResetRoutes = {
  forgotPassword,
  resendResetCode,
  verifyResetCode,
  resetPassword,
};
