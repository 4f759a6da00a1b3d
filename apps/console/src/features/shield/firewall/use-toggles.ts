import { useLingui } from "@lingui/react/macro";
import { firewallRoutes, type Firewall } from "@palisade/contract/http/firewall";
import { toggleLockSeconds } from "@palisade/contract/http/servers";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText, hasCode } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";
import { firewallQuery, ifMatch, type Versioned } from "../shield.queries.ts";
import { diffFirewall, type FirewallDiff, type ToggleName } from "./firewall-diff.ts";

const lockMs = toggleLockSeconds * 1000;

interface ToggleChange {
  readonly name: ToggleName;
  readonly enabled: boolean;
}

/** A change that met another user's: their changes, and the one made here. */
export interface ToggleConflict {
  readonly diff: FirewallDiff;
  readonly change: ToggleChange;
}

/** The switches: optimistic, rolled back on an error, locked for 5 s after a change. */
export function useToggles(shieldId: string, onChange: (change: Change) => void) {
  const { t } = useLingui();
  const { queryKey } = firewallQuery(shieldId);
  const [locked, setLocked] = useState<ReadonlySet<ToggleName>>(new Set());
  const [conflict, setConflict] = useState<ToggleConflict | null>(null);
  // Writes run one after the other: each sends the version that the one before created.
  const queue = useRef<Promise<unknown>>(Promise.resolve());

  function lock(name: ToggleName) {
    setLocked((names) => new Set([...names, name]));
  }

  /** Counted from the answer: the server's lock began earlier. */
  function unlockLater(name: ToggleName) {
    setTimeout(() => {
      setLocked((names) => new Set([...names].filter((other) => other !== name)));
    }, lockMs);
  }

  const mutation = useMutation({
    mutationFn: (change: ToggleChange) => {
      const write = queue.current.then(() => send(shieldId, change));
      queue.current = write.catch(() => undefined);
      return write;
    },
    onMutate: async (change) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData<Versioned<Firewall>>(queryKey);
      showChange(change);
      lock(change.name);
      return before;
    },
    onSettled: (_data, _error, { name }) => unlockLater(name),
    onSuccess: ({ data }) => {
      setConflict(null);
      onChange({ label: data.message, revision: data.revision });
    },
    onError: async (error, change, before) => {
      if (before) queryClient.setQueryData(queryKey, before);
      if (before && hasCode(error, "precondition_failed")) {
        const now = await queryClient.fetchQuery({ ...firewallQuery(shieldId), staleTime: 0 });
        const diff = diffFirewall(before.value, now.value);
        // The other save changed nothing, so there is no conflict.
        if (diff.toggles.length + diff.entries.length === 0) mutation.mutate(change);
        else setConflict({ diff, change });
        return;
      }
      toast("error", errorText(error, t`Error updating firewall settings`));
      void queryClient.invalidateQueries({ queryKey });
    },
  });

  function showChange({ name, enabled }: ToggleChange) {
    queryClient.setQueryData<Versioned<Firewall>>(queryKey, (old) =>
      old ? { ...old, value: { ...old.value, [name]: enabled } } : old,
    );
  }

  return { toggle: mutation.mutate, locked, conflict, dropConflict: () => setConflict(null) };
}

async function send(shieldId: string, { name, enabled }: ToggleChange) {
  const { queryKey } = firewallQuery(shieldId);
  const etag = queryClient.getQueryData<Versioned<Firewall>>(queryKey)?.etag ?? null;
  const answer = await call(firewallRoutes.updateFirewall, {
    params: { id: shieldId },
    body: { [name]: enabled },
    headers: ifMatch(etag),
  });
  // The lists are unchanged: otherwise the server would have refused the write.
  queryClient.setQueryData<Versioned<Firewall>>(queryKey, (old) =>
    old
      ? { value: { ...old.value, ...answer.data.firewall }, etag: answer.headers.get("etag") }
      : old,
  );
  return answer;
}
