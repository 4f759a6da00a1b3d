import { useLingui } from "@lingui/react/macro";
import { mitigationRoutes, updateMitigationBody } from "@palisade/contract/http/mitigation";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues, hasCode } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";
import { ifMatch, type Versioned } from "../shield.queries.ts";
import { mitigationQuery, type Settings } from "./mitigation.queries.ts";
import type { Typed } from "./settings.ts";

interface Handlers {
  readonly onSaved: (now: Versioned<Settings>, change: Change) => void;
  readonly onConflict: (now: Versioned<Settings>) => void;
  readonly placeIssues: (issues: Record<string, string>) => boolean;
}

interface Save {
  readonly changed: Partial<Typed>;
  readonly etag: string | null;
}

export function useSaveMitigation(serverId: string, handlers: Handlers) {
  const { t } = useLingui();
  const query = mitigationQuery(serverId);
  return useMutation({
    mutationFn: ({ changed, etag }: Save) =>
      call(mitigationRoutes.updateMitigation, {
        params: { id: serverId },
        body: updateMitigationBody.parse(changed),
        headers: ifMatch(etag),
      }),
    onSuccess: async ({ data, headers }) => {
      // A read that began before the save would bring back what it has replaced.
      await queryClient.cancelQueries({ queryKey: query.queryKey, exact: true });
      const now = { value: data.mitigation, etag: headers.get("etag") };
      queryClient.setQueryData(query.queryKey, now);
      toast("success", data.message);
      handlers.onSaved(now, {
        label: t`Mitigation settings updated`,
        revision: data.revision,
      });
    },
    onError: async (error) => {
      if (hasCode(error, "precondition_failed")) {
        handlers.onConflict(await queryClient.fetchQuery({ ...query, staleTime: 0 }));
        return;
      }
      if (!handlers.placeIssues(fieldIssues(error))) {
        toast("error", errorText(error, t`Failed to update mitigation settings`));
      }
    },
  });
}
