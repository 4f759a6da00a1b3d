import type { WebhookEventType } from "@palisade/contract/http/notification-events";
import type { WebhookFormat } from "@palisade/contract/http/webhooks";
import {
  cutText,
  eventText,
  readableData,
  type EventData,
  type EventText,
} from "../event-texts.ts";
import type { Reader } from "../event-values.ts";

/** The parts of a message about a shield. */
export interface MessageParts {
  readonly kind: WebhookEventType;
  readonly at: Date;
  readonly data: EventData;
  readonly reader: Reader;
  /** The page of the shield. */
  readonly url: string;
  /** In quiet hours: the chat shows it without a sound. */
  readonly isSilent: boolean;
}

/** A message in words, and its data for programs. */
export interface SaidMessage {
  readonly kind: string;
  readonly at: Date;
  readonly data: object;
  readonly said: EventText;
  readonly url: string;
  readonly isSilent: boolean;
}

/** The body that is sent; what is secret in the request is added when it is. */
export function messageBody(
  format: WebhookFormat,
  { reader, data, ...parts }: MessageParts,
): string {
  const said = eventText(parts.kind, data, reader);
  return bodyOf(format, { ...parts, said, data: readableData(data, reader) });
}

export function bodyOf(format: WebhookFormat, message: SaidMessage): string {
  return JSON.stringify(bodies[format](message));
}

const bodies: Readonly<Record<WebhookFormat, (message: SaidMessage) => object>> = {
  json: ({ kind, at, data }) => ({ type: kind, timestamp: at.toISOString(), data }),
  discord: discordMessage,
  slack: slackMessage,
  telegram: telegramMessage,
};

const discordColours: Readonly<Record<EventText["tone"], number>> = {
  attack: 0xf2a93b,
  danger: 0xf0616d,
  good: 0x3ecf8e,
  neutral: 0x7aa2ff,
};
const discordTitleMax = 256;
/** The flag of a message that makes no sound. */
const discordSilentFlag = 4_096;

function discordMessage(parts: SaidMessage): object {
  const { title, text, details, tone } = parts.said;
  return {
    embeds: [
      {
        title: cutText(escapeMarkdown(title), discordTitleMax),
        url: parts.url,
        description: text,
        color: discordColours[tone],
        fields: details.map(({ label, value }) => ({
          name: label,
          value: escapeMarkdown(value),
          inline: true,
        })),
        timestamp: parts.at.toISOString(),
      },
    ],
    // A text of the owner may look like a mention: it must not notify anyone.
    allowed_mentions: { parse: [] },
    ...(parts.isSilent ? { flags: discordSilentFlag } : {}),
  };
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|>[\]()#]/g, "\\$&");
}

function slackMessage(parts: SaidMessage): object {
  const { title, text, details } = parts.said;
  const lines = details.map(({ label, value }) => `${escapeMarkup(label)}: ${escapeMarkup(value)}`);
  return {
    text: [`*<${parts.url}|${escapeMarkup(title)}>*`, escapeMarkup(text), ...lines].join("\n"),
    unfurl_links: false,
  };
}

/** A message has 4,096 at most, with its title and details. */
const telegramTextMax = 3_000;

function telegramMessage(parts: SaidMessage): object {
  const { title, text, details } = parts.said;
  const lines = details.map(
    ({ label, value }) => `${escapeMarkup(label)}: <b>${escapeMarkup(value)}</b>`,
  );
  return {
    text: [
      `<b>${escapeMarkup(title)}</b>`,
      escapeMarkup(cutText(text, telegramTextMax)),
      "",
      ...lines,
    ].join("\n"),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
    ...(parts.isSilent ? { disable_notification: true } : {}),
  };
}

/** Slack and Telegram want the same three characters escaped. */
function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
