import { z } from "zod";
import { refuseOpenUrl } from "./encrypted-urls.ts";
import { setting } from "./setting.ts";

/** The operator's webhook, which tells staff about edges and the certificate, beside mail. */
export const staffSettings = {
  PALISADE_STAFF_WEBHOOK_URL: setting({
    schema: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }),
    fallback: null,
    description:
      "Receiver of events for staff (docs/operations/staff-events.md): edges, the certificate. It must have a public address. Default: mails alone.",
    programs: ["api"],
    secret: true,
    refusedInProduction: refuseOpenUrl,
  }),
  PALISADE_STAFF_WEBHOOK_FORMAT: setting({
    schema: z.enum(
      ["json", "discord", "slack", "telegram"],
      "must be json, discord, slack or telegram",
    ),
    fallback: "json",
    description: "Format of the messages: `json` is signed by PALISADE_STAFF_WEBHOOK_SECRET.",
    programs: ["api"],
  }),
  PALISADE_STAFF_WEBHOOK_SECRET: setting({
    schema: z
      .string()
      .regex(
        /^whsec_(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4}(?:[A-Za-z0-9+/]{2}==)?)?$/,
        "must be whsec_ and 24 to 64 bytes in base64",
      ),
    fallback: null,
    description:
      "Key that signs the messages of the format `json` (Standard Webhooks): `whsec_` and 24 to 64 random bytes in base64.",
    programs: ["api"],
    secret: true,
  }),
};
