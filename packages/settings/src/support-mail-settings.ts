import { z } from "zod";
import { refuseOpenMailbox } from "./encrypted-urls.ts";
import { setting } from "./setting.ts";
import { port } from "./value-schemas.ts";

/** Answers of customers to mails about tickets (docs/operations/support-mail.md). */
export const supportMailSettings = {
  PALISADE_SUPPORT_MAIL: setting({
    schema: z
      .email("must be an e-mail address")
      .regex(/^[^@]{1,30}@/, "must have at most 30 characters before the @"),
    fallback: null,
    description:
      "Address of the support, from which reply addresses are made: `support@example.com` gives `support+1001.<signature>@example.com` (docs/operations/support-mail.md). Needs PALISADE_INBOUND_SMTP_PORT or PALISADE_INBOUND_IMAP. Default: customers answer in the console alone.",
    programs: ["api"],
  }),
  PALISADE_INBOUND_SMTP_PORT: setting({
    schema: port,
    fallback: null,
    description:
      "Port on which the api takes answers to tickets by SMTP; 0 means any free one. Default: none.",
    programs: ["api"],
  }),
  PALISADE_INBOUND_SMTP_HOST: setting({
    schema: z.string().min(1, "must be an address"),
    fallback: "127.0.0.1",
    description: "Address of that port.",
    programs: ["api"],
  }),
  PALISADE_INBOUND_IMAP: setting({
    schema: z
      .string()
      .refine(
        isMailboxUrl,
        "must be imaps://user:password@host/mailbox, with signs like @ and / in user and password as %40 and %2F",
      ),
    fallback: null,
    description:
      "Mailbox that the api looks into each minute for answers to tickets: imaps://user:password@host/INBOX. Default: none.",
    programs: ["api"],
    secret: true,
    refusedInProduction: refuseOpenMailbox,
  }),
} as const;

function isMailboxUrl(text: string): boolean {
  if (!/^imaps?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname, search, hash } = new URL(text);
  if ([username, password, hostname].includes("") || `${search}${hash}` !== "") return false;
  try {
    decodeURIComponent(`${username}${password}${new URL(text).pathname}`);
    return true;
  } catch {
    return false;
  }
}
