import { useLingui } from "@lingui/react/macro";
import {
  networkRuleRoutes,
  type addNetworkRuleBody,
  type NetworkRule,
} from "@palisade/contract/http/network-rules";
import { useMutation } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../../receipt.tsx";
import { networkRulesQuery } from "./network-rules.queries.ts";

export type NewRule = z.input<typeof addNetworkRuleBody>;

/** Adds and removes rules; a removal can be undone from its receipt. */
export function useNetworkRules(shieldId: string, onChange: (change: Change) => void) {
  const { t } = useLingui();
  const params = { id: shieldId };
  const { queryKey } = networkRulesQuery(shieldId);
  const refresh = () => queryClient.invalidateQueries({ queryKey });

  const add = useMutation({
    mutationFn: (body: NewRule) => call(networkRuleRoutes.addNetworkRule, { params, body }),
    onSuccess: async ({ data: { rule, revision, message } }) => {
      onChange({ label: message, revision, undo: () => remove.mutate(rule) });
      await refresh();
    },
  });

  const remove = useMutation({
    mutationFn: ({ id: ruleId }: NetworkRule) =>
      call(networkRuleRoutes.removeNetworkRule, { params: { ...params, ruleId } }),
    onSuccess: async ({ data: { revision, message } }, removed) => {
      onChange({ label: message, revision, undo: () => restore.mutate(removed) });
      await refresh();
    },
    onError: (error) => {
      toast("error", errorText(error, t`Error removing the rule`));
      void refresh();
    },
  });

  /** Adds without the form. Separate from `add`, whose errors are shown in it. */
  const restore = useMutation({
    mutationFn: ({ country, asn, action, note, expires_at }: NetworkRule) => {
      const subject = country === null ? { asn: asn ?? 0 } : { country };
      const body = { ...subject, action, note, expires_at };
      return call(networkRuleRoutes.addNetworkRule, { params, body });
    },
    onSuccess: async ({ data: { revision, message } }) => {
      onChange({ label: message, revision });
      await refresh();
    },
    onError: (error) => toast("error", errorText(error, t`Error adding the rule`)),
  });

  return { add, remove };
}

export type NetworkRuleChanges = ReturnType<typeof useNetworkRules>;
