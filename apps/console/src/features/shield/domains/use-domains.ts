import { useLingui } from "@lingui/react/macro";
import { shieldDomainRoutes, type ShieldDomain } from "@palisade/contract/http/domains";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";

/** Changes a shield's domains. Each change ends in a receipt; a removal can be undone from it. */
export function useDomains(shieldId: string, onChange: (change: Change) => void) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const of = ({ id: domainId }: Pick<ShieldDomain, "id">) => ({
    params: { id: shieldId, domainId },
  });
  // The header and the overview show a domain too.
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["servers", shieldId] });
  const onError = (fallback: string) => (error: unknown) => {
    toast("error", errorText(error, fallback));
    void refresh();
  };

  const add = useMutation({
    mutationFn: (domain: string) =>
      call(shieldDomainRoutes.addDomain, { params: { id: shieldId }, body: { domain } }),
    onSuccess: ({ data }) => {
      onChange({ label: t`Domain added successfully`, revision: data.revision });
      return refresh();
    },
  });

  const remove = useMutation({
    mutationFn: (domain: ShieldDomain) => call(shieldDomainRoutes.removeDomain, of(domain)),
    onSuccess: ({ data }, domain) => {
      onChange({
        label: t`Domain deleted successfully`,
        revision: data.revision,
        undo: () => restore.mutate(domain),
      });
      return refresh();
    },
    onError: onError(t`Failed to delete domain`),
  });

  const restore = useMutation({
    mutationFn: (domain: ShieldDomain) => call(shieldDomainRoutes.restoreDomain, of(domain)),
    onSuccess: ({ data }) => {
      onChange({ label: data.message, revision: data.revision });
      return refresh();
    },
    onError: onError(t`Failed to add domain`),
  });

  const lead = useMutation({
    mutationFn: ({ domain, groupId }: { domain: ShieldDomain; groupId: string | null }) =>
      call(shieldDomainRoutes.updateDomain, { ...of(domain), body: { group_id: groupId } }),
    onSuccess: ({ data }) => {
      onChange({ label: data.message, revision: data.revision });
      return refresh();
    },
    onError: onError(t`Failed to update domain`),
  });

  return { add, remove, lead };
}

export type DomainChanges = ReturnType<typeof useDomains>;
