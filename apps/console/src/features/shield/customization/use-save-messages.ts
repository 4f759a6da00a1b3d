import { useLingui } from "@lingui/react/macro";
import { serverMessageRoutes, type ServerMessages } from "@palisade/contract/http/server-messages";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues, hasCode } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";
import { ifMatch, messagesQuery, type Versioned } from "../shield.queries.ts";
import type { Group, Texts } from "./message-diff.ts";

interface Handlers {
  readonly onSaved: (now: Versioned<ServerMessages>, change: Change) => void;
  readonly onConflict: (now: Versioned<ServerMessages>) => void;
  readonly placeIssues: (issues: Record<string, string>) => boolean;
}

export function useSaveMessages(serverId: string, group: Group, handlers: Handlers) {
  const { t } = useLingui();
  const query = messagesQuery(serverId);
  return useMutation({
    mutationFn: ({ texts, etag }: { texts: Texts; etag: string | null }) =>
      call(serverMessageRoutes.updateServerMessages, {
        params: { id: serverId },
        body: { [group]: texts },
        headers: ifMatch(etag),
      }),
    onSuccess: async ({ data, headers }) => {
      // A read that began before the save would bring back what it has replaced.
      await queryClient.cancelQueries({ queryKey: query.queryKey, exact: true });
      const now = { value: data.messages, etag: headers.get("etag") };
      queryClient.setQueryData(query.queryKey, now);
      toast("success", data.message);
      handlers.onSaved(now, { label: t`Messages updated`, revision: data.revision });
    },
    onError: async (error) => {
      if (hasCode(error, "precondition_failed")) {
        handlers.onConflict(await queryClient.fetchQuery({ ...query, staleTime: 0 }));
        return;
      }
      // The server names a text by its group, the form without it.
      const issues = Object.entries(fieldIssues(error)).map(
        ([path, text]) => [path.replace(`${group}.`, ""), text] as const,
      );
      if (!handlers.placeIssues(Object.fromEntries(issues))) {
        toast("error", errorText(error, t`Error updating messages. Please try again later.`));
      }
    },
  });
}
