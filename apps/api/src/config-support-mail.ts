import type { SettingValues } from "@palisade/settings/settings";
import type { ImapConfig, SupportMailConfig } from "#src/features/ticket-mail/inbound-config.ts";

/** The settings of answers to tickets by mail. */
export const supportMailNames = [
  "PALISADE_SUPPORT_MAIL",
  "PALISADE_INBOUND_SMTP_PORT",
  "PALISADE_INBOUND_SMTP_HOST",
  "PALISADE_INBOUND_IMAP",
] as const;

type SupportMailSettings = SettingValues<
  (typeof supportMailNames)[number] | "PALISADE_ENV" | "SMTP_URL"
>;

/** In the development mailbox, mails can be answered without any server. */
const developmentAddress = "support@palisade.localhost";

/** Adds what is wrong to the problems. */
export function readSupportMail(
  values: SupportMailSettings,
  problems: string[],
): SupportMailConfig | undefined {
  const {
    PALISADE_SUPPORT_MAIL: address,
    PALISADE_INBOUND_SMTP_PORT: port,
    PALISADE_INBOUND_SMTP_HOST: host,
    PALISADE_INBOUND_IMAP: mailbox,
  } = values;
  const isDevelopment = values.PALISADE_ENV === "development" && values.SMTP_URL === undefined;
  const isRead = port !== undefined || mailbox !== undefined || isDevelopment;
  if (address === undefined) {
    if (port !== undefined || mailbox !== undefined) {
      const name = port === undefined ? "PALISADE_INBOUND_IMAP" : "PALISADE_INBOUND_SMTP_PORT";
      problems.push(`PALISADE_SUPPORT_MAIL must be set, because ${name} is`);
      return undefined;
    }
    return isDevelopment
      ? { address: developmentAddress, smtp: undefined, imap: undefined }
      : undefined;
  }
  if (!isRead) {
    problems.push(
      "PALISADE_INBOUND_SMTP_PORT or PALISADE_INBOUND_IMAP must be set, because PALISADE_SUPPORT_MAIL is: otherwise no answer would be read",
    );
  }
  return {
    address,
    smtp: port === undefined ? undefined : { host, port },
    imap: mailbox === undefined ? undefined : readImap(mailbox),
  };
}

function readImap(text: string): ImapConfig {
  const url = new URL(text);
  const secure = url.protocol === "imaps:";
  const mailbox = decodeURIComponent(url.pathname.slice(1));
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 993 : 143) : Number(url.port),
    secure,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    mailbox: mailbox === "" ? "INBOX" : mailbox,
  };
}
