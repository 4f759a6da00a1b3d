import { useLingui } from "@lingui/react/macro";
import {
  toggleLockSeconds,
  updateOverview,
  type ServerOverview,
} from "@palisade/contract/http/servers";
import { CallError } from "@palisade/contract/http/client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import { overviewQuery } from "../shield.queries.ts";

export type RenewalToggle = "automatic_renewal" | "include_balance";

interface ToggleChange {
  readonly name: RenewalToggle;
  readonly enabled: boolean;
}

/**
 * The renewal toggles: a change shows at once, is rolled back on an error, and locks the toggle for
 * 5 s. Pending changes override the polled data, which still has the old value.
 */
export function useRenewalToggles(shieldId: string) {
  const { t } = useLingui();
  const { queryKey } = overviewQuery(shieldId);
  const [pendingChanges, setPendingChanges] = useState<Partial<Record<RenewalToggle, boolean>>>({});
  const [locked, setLocked] = useState<ReadonlySet<RenewalToggle>>(new Set());

  function lock(name: RenewalToggle, seconds: number) {
    setLocked((names) => new Set([...names, name]));
    setTimeout(() => {
      setLocked((names) => new Set([...names].filter((other) => other !== name)));
    }, seconds * 1000);
  }

  const mutation = useMutation({
    mutationFn: ({ name, enabled }: ToggleChange) =>
      call(updateOverview, { params: { id: shieldId }, body: { [name]: enabled } }),
    onMutate: ({ name, enabled }) => {
      setPendingChanges((all) => ({ ...all, [name]: enabled }));
    },
    onSuccess: async ({ data }, { name }) => {
      lock(name, toggleLockSeconds);
      // A read sent before the change must not overwrite it.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData<ServerOverview>(queryKey, (old) =>
        old ? { ...old, [name]: data[name] } : old,
      );
      toast("success", data.message);
    },
    onError: (error, { name }) => {
      const wait = error instanceof CallError ? error.retryAfterSeconds : null;
      if (wait !== null) lock(name, wait);
      toast("error", errorText(error, t`Failed to update server overview`));
    },
    onSettled: (_data, _error, { name }) => {
      setPendingChanges(({ [name]: _settled, ...others }) => others);
      // The forecast depends on the toggles.
      void queryClient.invalidateQueries({ queryKey });
    },
  });

  return {
    toggle: mutation.mutate,
    isLocked: (name: RenewalToggle) => locked.has(name) || name in pendingChanges,
    shown: (name: RenewalToggle, overview: ServerOverview) =>
      pendingChanges[name] ?? overview[name],
  };
}
