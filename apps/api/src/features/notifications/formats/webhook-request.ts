import type { WebhookFormat } from "@palisade/contract/http/webhooks";
import { z } from "zod";
import type { OutboundRequest } from "#src/platform/http/outbound.ts";
import { signedHeaders } from "#src/platform/security/webhook-signature.ts";

export interface RequestParts {
  readonly format: WebhookFormat;
  readonly url: string;
  /** `whsec_…`, the current one first. */
  readonly secrets: readonly string[];
  readonly id: string;
  readonly body: string;
  readonly now: Date;
  /** The message of the chat that is to be edited. */
  readonly messageRef: string | null;
}

/** The request of one try. */
export function webhookRequest(parts: RequestParts): OutboundRequest {
  switch (parts.format) {
    case "json":
      return { ...post(parts), headers: signedHeaders(parts) };
    case "slack":
      return post(parts);
    case "discord":
      return discordRequest(parts);
    case "telegram":
      return telegramRequest(parts);
  }
}

function post({ url, body }: RequestParts): OutboundRequest {
  return { url, method: "POST", body };
}

/** With `wait` Discord answers with the message, which alone tells its id. */
function discordRequest({ url, body, messageRef }: RequestParts): OutboundRequest {
  const target = new URL(url);
  if (messageRef === null) {
    target.searchParams.set("wait", "true");
    return { url: target.href, method: "POST", body };
  }
  target.pathname += `/messages/${messageRef}`;
  // Flags are of a new message only.
  const { flags: _, ...edited } = fieldsOf(body);
  return { url: target.href, method: "PATCH", body: JSON.stringify(edited) };
}

function telegramRequest({ url, body, messageRef }: RequestParts): OutboundRequest {
  const target = new URL(url);
  const chat_id = target.searchParams.get("chat_id") ?? "";
  target.search = "";
  const { disable_notification, ...fields } = fieldsOf(body);
  if (messageRef === null) {
    const sound = disable_notification === undefined ? {} : { disable_notification };
    return {
      url: target.href,
      method: "POST",
      body: JSON.stringify({ chat_id, ...fields, ...sound }),
    };
  }
  target.pathname = target.pathname.replace(/sendMessage$/, "editMessageText");
  const edited = { chat_id, message_id: Number(messageRef), ...fields };
  return { url: target.href, method: "POST", body: JSON.stringify(edited) };
}

function fieldsOf(body: string): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(body));
}

const discordAnswer = z.object({ id: z.string().regex(/^\d{1,30}$/) });
const telegramAnswer = z.object({ result: z.object({ message_id: z.int() }) });

/** The chat's id of the message that was sent; null where it cannot be edited. */
export function messageRefOf(format: WebhookFormat, answer: string): string | null {
  const parsed = parse(answer);
  if (format === "discord") return discordAnswer.safeParse(parsed).data?.id ?? null;
  if (format !== "telegram") return null;
  const id = telegramAnswer.safeParse(parsed).data?.result.message_id;
  return id === undefined ? null : String(id);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
