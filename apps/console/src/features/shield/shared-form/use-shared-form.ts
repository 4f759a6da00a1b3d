import { useMutation, useQuery, type UseQueryOptions } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import type { z } from "zod";
import { errorText, fieldIssues, hasCode } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { changedValues, isEmpty, mergeValues, mergeConflict } from "#src/lib/merge-values.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";
import type { Versioned } from "../shield.queries.ts";

export interface Saved<T> {
  readonly now: Versioned<T>;
  readonly message: string;
  readonly revision: number;
}

interface SharedFormOptions<T, V extends object> {
  /** Of the settings; asked by the section around the form. */
  readonly query: Pick<
    UseQueryOptions<Versioned<T>, Error, Versioned<T>, string[]>,
    "queryKey" | "queryFn"
  >;
  /** Shown where they cannot be read. */
  readonly fallback: Versioned<T>;
  readonly readOnly: boolean;
  readonly place: RefObject<HTMLFormElement | null>;
  readonly schema: z.ZodType;
  readonly typedOf: (stored: T) => V;
  readonly save: (changed: Partial<V>, etag: string | null) => Promise<Saved<T>>;
  readonly texts: { readonly saved: string; readonly failed: string };
  readonly onChange: (change: Change) => void;
  /** The form's name of a field that the server refuses. */
  readonly nameOf?: (path: string) => string;
  /** Brings into sight what is wrong. */
  readonly reveal?: (names: readonly string[]) => void;
}

interface Sending<T, V> {
  readonly values: V;
  readonly from: Versioned<T>;
}

export type SharedForm<T, V extends Record<string, unknown>> = ReturnType<
  typeof useSharedForm<T, V>
>;

/**
 * A form of settings that others may change meanwhile: nothing typed here is lost to what they save,
 * and nothing of theirs is replaced before it was read.
 */
export function useSharedForm<T, V extends Record<string, unknown>>(
  options: SharedFormOptions<T, V>,
) {
  const { query, readOnly, place, typedOf, texts, reveal, nameOf = (path) => path } = options;
  const { queryKey } = query;
  // Followed here as well: after a save it is what was saved, in the same moment as the form.
  const { data: stored = options.fallback } = useQuery({ ...query, enabled: false });
  // What the form was filled from: differences and If-Match refer to it, not to later reads.
  const [read, setRead] = useState(stored);
  const [theirs, setTheirs] = useState<Partial<V> | null>(null);
  const { form, field, submit, placeIssues } = useContractForm(
    options.schema,
    typedOf(stored.value),
  );
  const changed = changedValues(typedOf(read.value), form.values);
  const isDirty = !isEmpty(changed);

  const saving = useMutation({
    mutationFn: ({ values, from }: Sending<T, V>) =>
      options.save(changedValues(typedOf(from.value), values), from.etag),
    onSuccess: async ({ now, message, revision }, { values }) => {
      // A read that began before the save would bring back what it has replaced.
      await queryClient.cancelQueries({ queryKey, exact: true });
      queryClient.setQueryData(queryKey, now);
      adopt(now, values);
      closeConflict();
      toast("success", message);
      options.onChange({ label: texts.saved, revision });
    },
    onError: async (error, sending) => {
      if (hasCode(error, "precondition_failed")) await catchUp(sending);
      else tell(error);
    },
  });
  const send = () => saving.mutate({ values: form.getValues(), from: read });

  /** What was typed since the values were `before` stays. */
  function adopt(now: Versioned<T>, before: V) {
    setRead(now);
    form.setValues(mergeValues(before, form.getValues(), typedOf(now.value)));
  }

  /** Somebody saved first. Asks only where they have changed what was not sent just so from here. */
  async function catchUp({ values, from }: Sending<T, V>) {
    try {
      await queryClient.cancelQueries({ queryKey, exact: true });
      const now = await queryClient.fetchQuery({ ...query, staleTime: 0 });
      const before = typedOf(from.value);
      const late = mergeConflict(before, values, typedOf(now.value));
      adopt(now, before);
      if (isEmpty(late.mine)) {
        closeConflict();
        toast("success", texts.saved);
      } else if (isEmpty(late.theirs)) saving.mutate({ values: late.merged, from: now });
      else setTheirs(late.theirs);
    } catch (error) {
      tell(error);
    }
  }

  function tell(error: unknown) {
    const issues = Object.entries(fieldIssues(error)).map(
      ([path, text]) => [nameOf(path), text] as const,
    );
    if (placeIssues(Object.fromEntries(issues))) reveal?.(issues.map(([name]) => name));
    else toast("error", errorText(error, texts.failed));
  }

  /** Its buttons go: the focus returns to where it came from. */
  function closeConflict() {
    if (!theirs) return;
    setTheirs(null);
    place.current?.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
  }

  // A later read fills the form only while nothing has been typed.
  const later = !isDirty && stored !== read ? stored : null;
  const follow = useEffectEvent((now: Versioned<T>) => adopt(now, typedOf(read.value)));
  useEffect(() => {
    if (later) follow(later);
  }, [later]);

  return {
    form,
    field,
    stored,
    read,
    changed,
    isDirty,
    readOnly,
    theirs,
    isSaving: saving.isPending,
    onSubmit: submit(() => {
      if (isDirty && !readOnly && !theirs) send();
    }, reveal),
    keepMine: submit(send, reveal),
    keepTheirs() {
      form.setValues({ ...form.getValues(), ...theirs });
      closeConflict();
    },
  };
}
