import { useLingui } from "@lingui/react/macro";
import { firewallRoutes, type Firewall } from "@palisade/contract/http/firewall";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";
import { firewallQuery, type Versioned } from "../shield.queries.ts";
import { entriesOf, withEntries, type ListType } from "./firewall-diff.ts";

type Entry = Firewall["blacklist_ips"][number];

/** Adds and removes addresses of one list; both can be undone from their receipt. */
export function useEntries(shieldId: string, list: ListType, onChange: (change: Change) => void) {
  const { t } = useLingui();
  const { queryKey } = firewallQuery(shieldId);

  /** Updates the cache with the change and its new version, then reads again. */
  async function update(headers: Headers, entries: (old: Entry[]) => Entry[]) {
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData<Versioned<Firewall>>(queryKey, (old) =>
      old
        ? {
            value: withEntries(old.value, list, entries(entriesOf(old.value, list))),
            etag: headers.get("etag"),
          }
        : old,
    );
    await queryClient.invalidateQueries({ queryKey });
  }

  const add = useMutation({
    mutationFn: (ip: string) =>
      call(firewallRoutes.addFirewallEntry, {
        params: { id: shieldId },
        body: { type: list, ip },
      }),
    onSuccess: async ({ data: { entry, revision, message }, headers }) => {
      onChange({ label: message, revision, undo: () => remove.mutate(entry) });
      await update(headers, (old) => [entry, ...old.filter(({ id }) => id !== entry.id)]);
    },
  });

  const remove = useMutation({
    mutationFn: ({ id: ipId }: Entry) =>
      call(firewallRoutes.removeFirewallEntry, { params: { id: shieldId, ipId } }),
    onSuccess: async ({ data: { revision, message }, headers }, removed) => {
      onChange({ label: message, revision, undo: () => restore.mutate(removed.ip) });
      await update(headers, (old) => old.filter(({ id }) => id !== removed.id));
    },
    onError: (error) => {
      toast("error", errorText(error, t`Error removing IP from firewall`));
      void queryClient.invalidateQueries({ queryKey });
    },
  });

  /** Adds without the field. Separate from `add`, whose errors are shown beside the field. */
  const restore = useMutation({
    mutationFn: (ip: string) =>
      call(firewallRoutes.addFirewallEntry, {
        params: { id: shieldId },
        body: { type: list, ip },
      }),
    onSuccess: async ({ data: { entry, revision, message }, headers }) => {
      onChange({ label: message, revision });
      await update(headers, (old) => [entry, ...old]);
    },
    onError: (error) => toast("error", errorText(error, t`Error updating firewall settings`)),
  });

  return { add, remove, restore };
}
