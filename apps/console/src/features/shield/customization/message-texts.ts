import {
  effectiveServerMessages,
  noServerMessages,
  type ServerMessages,
} from "@palisade/contract/http/server-messages";

export type Group = keyof ServerMessages;
export type Texts = Record<string, string>;

/** One tab as a flat form. An empty image field means no image, and removes one. */
export function textsOf(messages: ServerMessages, group: Group): Texts {
  if (group !== "offline") return { ...messages[group] };
  return { ...messages.offline, offline_image: messages.offline.offline_image ?? "" };
}

/** The texts players see for one tab: defaults replace empty ones. */
export function shownTexts(texts: Texts, group: Group): Texts {
  const typed = { ...noServerMessages, [group]: { ...noServerMessages[group], ...texts } };
  return textsOf(effectiveServerMessages(typed), group);
}

/** The default text of each field of a tab. */
export function defaultTexts(group: Group): Texts {
  return shownTexts({}, group);
}
