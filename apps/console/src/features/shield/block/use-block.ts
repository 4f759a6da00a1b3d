import { useLingui } from "@lingui/react/macro";
import { firewallRoutes } from "@palisade/contract/http/firewall";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText, hasCode } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";
import { firewallQuery } from "../shield.queries.ts";

export interface ListedAddress {
  readonly type: "blacklist" | "whitelist";
  /** An address or its network. */
  readonly ip: string;
}

const switches = {
  blacklist: "ip_blacklist_enabled",
  whitelist: "ip_whitelist_enabled",
} as const;

/**
 * Puts addresses that a page shows on a list of the firewall. A list that is off would do nothing: the person
 * is asked whether to turn it on, because all of its entries then act.
 */
export function useBlock(shieldId: string, onChange: (change: Change) => void) {
  const { t } = useLingui();
  const [asked, ask] = useState<ListedAddress | null>(null);
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
    mutationFn: async ({ type, ip, turnOn }: ListedAddress & { readonly turnOn: boolean }) => {
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
    mutationFn: async (listed: ListedAddress) => {
      // The lists may be large: they are read when an address is to be added, not with the page.
      const query = { ...firewallQuery(shieldId), staleTime: 15_000 };
      const { value } = await queryClient.fetchQuery(query);
      return { listed, isOn: value[switches[listed.type]] };
    },
    onSuccess: ({ listed, isOn }) => {
      if (isOn) add.mutate({ ...listed, turnOn: false });
      else ask(listed);
    },
    onError: fail,
  });
  return {
    list: (listed: ListedAddress) => begin.mutate(listed),
    isPending: begin.isPending || add.isPending,
    /** The address that waits for an answer, because its list is off. */
    asked,
    confirm: () => {
      if (asked) add.mutate({ ...asked, turnOn: true });
      ask(null);
    },
    decline: () => ask(null),
  };
}
