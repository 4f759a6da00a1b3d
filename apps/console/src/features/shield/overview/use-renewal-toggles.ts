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
 * The renewal toggles: shown as wished at once, rolled back with the reason, locked for 5 s after
 * a change. Wishes lie over the figures, which are polled and would show the old value meanwhile.
 */
export function useRenewalToggles(shieldId: string) {
  const { t } = useLingui();
  const { queryKey } = overviewQuery(shieldId);
  const [wishes, setWishes] = useState<Partial<Record<RenewalToggle, boolean>>>({});
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
      setWishes((all) => ({ ...all, [name]: enabled }));
    },
    onSuccess: async ({ data }, { name }) => {
      lock(name, toggleLockSeconds);
      // An answer that left before the change must not arrive after it.
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
      setWishes(({ [name]: _settled, ...others }) => others);
      // The forecast follows from the toggles.
      void queryClient.invalidateQueries({ queryKey });
    },
  });

  return {
    toggle: mutation.mutate,
    isLocked: (name: RenewalToggle) => locked.has(name) || name in wishes,
    shown: (name: RenewalToggle, overview: ServerOverview) => wishes[name] ?? overview[name],
  };
}
