import {
  effectiveServerMessages,
  noServerMessages,
  type ServerMessages,
} from "@palisade/contract/http/server-messages";

export type Group = keyof ServerMessages;
export type Texts = Record<string, string>;

/** One tab as a flat form; without an image its field is empty, which is also how one is removed. */
export function textsOf(messages: ServerMessages, group: Group): Texts {
  if (group !== "offline") return { ...messages[group] };
  return { ...messages.offline, offline_image: messages.offline.offline_image ?? "" };
}

/** The texts players see for those of one tab: empty ones are the product's. */
export function shownTexts(texts: Texts, group: Group): Texts {
  const typed = { ...noServerMessages, [group]: { ...noServerMessages[group], ...texts } };
  return textsOf(effectiveServerMessages(typed), group);
}

/** What stands for each text of a tab while it is empty. */
export function defaultTexts(group: Group): Texts {
  return shownTexts({}, group);
}
