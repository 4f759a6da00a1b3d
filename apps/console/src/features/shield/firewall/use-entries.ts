import { useLingui } from "@lingui/react/macro";
import {
  firewallRoutes,
  type Firewall,
  type FirewallEntry,
  type updateFirewallEntryBody,
} from "@palisade/contract/http/firewall";
import { useMutation } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";
import { firewallQuery, type Versioned } from "../shield.queries.ts";
import { entriesOf, withEntries, type ListType } from "./firewall-diff.ts";

type NewEntry = Pick<FirewallEntry, "ip" | "note" | "expires_at">;

interface EntryChange {
  readonly entry: FirewallEntry;
  readonly body: z.input<typeof updateFirewallEntryBody>;
}

/** Adds, changes and removes entries of one list; all of it can be undone from its receipt. */
export function useEntries(shieldId: string, list: ListType, onChange: (change: Change) => void) {
  const { t } = useLingui();
  const { queryKey } = firewallQuery(shieldId);

  /** Updates the cache with the change and its new version, then reads again. */
  async function update(headers: Headers, entries: (old: FirewallEntry[]) => FirewallEntry[]) {
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
    mutationFn: (entry: NewEntry) =>
      call(firewallRoutes.addFirewallEntry, {
        params: { id: shieldId },
        body: { type: list, ...entry },
      }),
    onSuccess: async ({ data: { entry, revision, message }, headers }) => {
      onChange({ label: message, revision, undo: () => remove.mutate(entry) });
      await update(headers, (old) => [entry, ...old.filter(({ id }) => id !== entry.id)]);
    },
  });

  const change = useMutation({
    mutationFn: (changed: EntryChange) => sendChange(shieldId, changed),
    onSuccess: async ({ data: { entry, revision, message }, headers }, { entry: before }) => {
      const { note, expires_at } = before;
      const undo = () => revert.mutate({ entry, body: { note, expires_at } });
      onChange({ label: message, revision, undo });
      await update(headers, (old) => old.map((each) => (each.id === entry.id ? entry : each)));
    },
  });

  /** Separate from `change`, whose errors are shown in the row. */
  const revert = useMutation({
    mutationFn: (changed: EntryChange) => sendChange(shieldId, changed),
    onSuccess: async ({ data: { entry, revision, message }, headers }) => {
      onChange({ label: message, revision });
      await update(headers, (old) => old.map((each) => (each.id === entry.id ? entry : each)));
    },
    onError: (error) => toast("error", errorText(error, t`Error updating firewall settings`)),
  });

  const remove = useMutation({
    mutationFn: ({ id: ipId }: FirewallEntry) =>
      call(firewallRoutes.removeFirewallEntry, { params: { id: shieldId, ipId } }),
    onSuccess: async ({ data: { revision, message }, headers }, removed) => {
      onChange({ label: message, revision, undo: () => restore.mutate(newEntry(removed)) });
      await update(headers, (old) => old.filter(({ id }) => id !== removed.id));
    },
    onError: (error) => {
      toast("error", errorText(error, t`Error removing IP from firewall`));
      void queryClient.invalidateQueries({ queryKey });
    },
  });

  /** Adds without the field. Separate from `add`, whose errors are shown beside the field. */
  const restore = useMutation({
    mutationFn: (entry: NewEntry) =>
      call(firewallRoutes.addFirewallEntry, {
        params: { id: shieldId },
        body: { type: list, ...entry },
      }),
    onSuccess: async ({ data: { entry, revision, message }, headers }) => {
      onChange({ label: message, revision });
      await update(headers, (old) => [entry, ...old]);
    },
    onError: (error) => toast("error", errorText(error, t`Error updating firewall settings`)),
  });

  return { add, change, remove, restore };
}

function sendChange(shieldId: string, { entry, body }: EntryChange) {
  return call(firewallRoutes.updateFirewallEntry, {
    params: { id: shieldId, ipId: entry.id },
    body,
  });
}

function newEntry({ ip, note, expires_at }: FirewallEntry): NewEntry {
  return { ip, note, expires_at };
}
