import { z } from "zod";

export const paypalKey = z
  .string()
  .regex(
    /^[A-Za-z0-9_-]{20,200}$/,
    "must be copied from an app of PayPal's developer dashboard: 20 to 200 letters, digits, - and _",
  );

export const paypalMerchantId = z
  .string()
  .regex(/^[A-Z0-9]{13}$/, "must be a merchant id of PayPal: 13 capital letters and digits");

export const paypalWebhookId = z
  .string()
  .regex(/^[A-Za-z0-9-]{10,60}$/, "must be the id of a webhook in PayPal's developer dashboard");

export const paypalMode = z.enum(["sandbox", "live"], "must be sandbox or live");

/** Another host would get the keys and every payment. */
export const paypalApiUrl = z
  .string()
  .regex(
    /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):[0-9]{1,5}$/,
    "must be http://127.0.0.1:port, because it is for tests on this machine only",
  );
