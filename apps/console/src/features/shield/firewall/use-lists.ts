import { useLingui } from "@lingui/react/macro";
import {
  firewallRoutes,
  type Firewall,
  type FirewallEntry,
} from "@palisade/contract/http/firewall";
import type { importModes } from "@palisade/contract/http/firewall-import";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { saveFile } from "#src/lib/save-file.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";
import { firewallQuery, type Versioned } from "../shield.queries.ts";
import { hasEnded } from "./entry-end.ts";
import { entriesOf, type ListType } from "./firewall-diff.ts";

type ListedEntry = Pick<FirewallEntry, "ip" | "note" | "expires_at">;
type Source = { readonly text: string } | { readonly entries: ListedEntry[] };

export interface ImportRequest {
  readonly mode: (typeof importModes)[number];
  readonly source: Source;
}

/** Actions on a whole list; each can be undone from its receipt. */
export function useLists(shieldId: string, list: ListType, onChange: (change: Change) => void) {
  const { t } = useLingui();
  const { queryKey } = firewallQuery(shieldId);
  const label = list === "blacklist" ? t`Blacklist updated` : t`Whitelist updated`;

  function entriesNow(): ListedEntry[] {
    const firewall = queryClient.getQueryData<Versioned<Firewall>>(queryKey)?.value;
    const entries = firewall ? entriesOf(firewall, list) : [];
    return entries.map(({ ip, note, expires_at }) => ({ ip, note, expires_at }));
  }

  /** Restores the list; an empty list is restored by clearing. */
  function undoTo(listed: ListedEntry[]): () => void {
    return () => {
      const before = listed.filter((entry) => !hasEnded(entry, new Date()));
      if (before.length === 0) clear.mutate({ undo: true });
      else put.mutate({ mode: "replace", source: { entries: before } });
    };
  }

  const put = useMutation({
    mutationFn: ({ mode, source }: ImportRequest) =>
      call(firewallRoutes.importFirewall, {
        params: { id: shieldId },
        body: { type: list, mode, ...source },
      }),
    onMutate: entriesNow,
    onSuccess: async ({ data }, _request, before) => {
      const { added, changed, removed } = data.report;
      const isChanged = added + changed + removed > 0;
      onChange({
        label,
        revision: data.revision,
        ...(isChanged && before ? { undo: undoTo(before) } : {}),
      });
      await queryClient.invalidateQueries({ queryKey });
    },
  });

  const clear = useMutation({
    mutationFn: (_request: { undo: boolean }) =>
      call(firewallRoutes.clearFirewallList, { params: { id: shieldId, type: list } }),
    onMutate: entriesNow,
    onSuccess: async ({ data }, { undo }, before) => {
      toast("success", data.message);
      onChange({
        label,
        revision: data.revision,
        ...(undo || !before ? {} : { undo: undoTo(before) }),
      });
      await queryClient.invalidateQueries({ queryKey });
    },
    onError: (error) => toast("error", errorText(error, t`Error clearing ${list} IPs`)),
  });

  const save = useMutation({
    mutationFn: () =>
      call(firewallRoutes.exportFirewall, { params: { id: shieldId }, query: { type: list } }),
    onSuccess: ({ data }) => saveFile(`${list}.csv`, new Blob([data], { type: "text/csv" })),
    onError: (error) => toast("error", errorText(error, t`Error fetching firewall data`)),
  });

  return { put, clear: () => clear.mutate({ undo: false }), isClearing: clear.isPending, save };
}
