import { serverMessageRoutes, type ServerMessages } from "@palisade/contract/http/server-messages";
import { call } from "#src/api/client.ts";
import type { Saved } from "../shared-form/use-shared-form.ts";
import { ifMatch } from "../shield.queries.ts";
import type { Group, Texts } from "./message-texts.ts";

/** What was changed on one tab. */
export async function saveMessages(
  id: string,
  changed: { readonly group: Group; readonly texts: Partial<Texts> },
  etag: string | null,
): Promise<Saved<ServerMessages>> {
  const { data, headers } = await call(serverMessageRoutes.updateServerMessages, {
    params: { id },
    body: { [changed.group]: changed.texts },
    headers: ifMatch(etag),
  });
  const { messages, message, revision } = data;
  return { now: { value: messages, etag: headers.get("etag") }, message, revision };
}
