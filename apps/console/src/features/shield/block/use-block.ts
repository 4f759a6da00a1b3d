import { useLingui } from "@lingui/react/macro";
import { firewallRoutes, isPlayerName } from "@palisade/contract/http/firewall";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText, hasCode } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";
import { firewallQuery } from "../shield.queries.ts";

export interface ListedEntry {
  readonly type: "blacklist" | "whitelist";
  /** An address, its network or the name of a player. */
  readonly ip: string;
}

/** An entry that waits for an answer. */
interface AskedEntry extends ListedEntry {
  /** Whether its list is on. */
  readonly isOn: boolean;
}

/** Allowing a name says nothing about who joins under it. */
export function isNameToAllow({ type, ip }: ListedEntry): boolean {
  return type === "whitelist" && isPlayerName(ip);
}

const switches = {
  blacklist: "ip_blacklist_enabled",
  whitelist: "ip_whitelist_enabled",
} as const;

/**
 * Puts addresses and names that a page shows on a list of the firewall. A list that is off would do nothing:
 * the person is asked whether to turn it on, because all of its entries then act. They are also asked before
 * a name is allowed.
 */
export function useBlock(shieldId: string, onChange: (change: Change) => void) {
  const { t } = useLingui();
  const [asked, ask] = useState<AskedEntry | null>(null);
  const { queryKey } = firewallQuery(shieldId);
  const params = { id: shieldId };
  const fail = (error: unknown) =>
    toast(
      hasCode(error, "entry_exists") ? "info" : "error",
      errorText(error, t`Error updating firewall settings`),
    );

  const remove = useMutation({
    mutationFn: (ipId: string) =>
      call(firewallRoutes.removeFirewallEntry, { params: { id: shieldId, ipId } }),
    onSuccess: async ({ data: { message, revision } }) => {
      onChange({ label: message, revision });
      await queryClient.invalidateQueries({ queryKey });
    },
    onError: fail,
  });
  const add = useMutation({
    mutationFn: async ({ type, ip, turnOn }: ListedEntry & { readonly turnOn: boolean }) => {
      if (turnOn) {
        await call(firewallRoutes.updateFirewall, { params, body: { [switches[type]]: true } });
      }
      return call(firewallRoutes.addFirewallEntry, { params, body: { type, ip } });
    },
    onSuccess: async ({ data: { entry, message, revision } }) => {
      onChange({ label: message, revision, undo: () => remove.mutate(entry.id) });
      await queryClient.invalidateQueries({ queryKey });
    },
    onError: fail,
  });
  const begin = useMutation({
    mutationFn: async (listed: ListedEntry) => {
      // The lists may be large: they are read when an address is to be added, not with the page.
      const query = { ...firewallQuery(shieldId), staleTime: 15_000 };
      const { value } = await queryClient.fetchQuery(query);
      return { listed, isOn: value[switches[listed.type]] };
    },
    onSuccess: ({ listed, isOn }) => {
      if (isOn && !isNameToAllow(listed)) add.mutate({ ...listed, turnOn: false });
      else ask({ ...listed, isOn });
    },
    onError: fail,
  });
  return {
    list: (listed: ListedEntry) => begin.mutate(listed),
    isPending: begin.isPending || add.isPending,
    /** The entry that waits for an answer, because its list is off or it is a name to be allowed. */
    asked,
    confirm: () => {
      if (asked) add.mutate({ ...asked, turnOn: !asked.isOn });
      ask(null);
    },
    decline: () => ask(null),
  };
}
