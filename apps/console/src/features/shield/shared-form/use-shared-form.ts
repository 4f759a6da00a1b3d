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
  /** Query of the settings; the section around the form runs it. */
  readonly query: Pick<
    UseQueryOptions<Versioned<T>, Error, Versioned<T>, string[]>,
    "queryKey" | "queryFn"
  >;
  /** Shown if the settings cannot be read. */
  readonly fallback: Versioned<T>;
  readonly readOnly: boolean;
  readonly place: RefObject<HTMLFormElement | null>;
  readonly schema: z.ZodType;
  readonly typedOf: (stored: T) => V;
  readonly save: (changed: Partial<V>, etag: string | null) => Promise<Saved<T>>;
  readonly texts: { readonly saved: string; readonly failed: string };
  readonly onChange: (change: Change) => void;
  /** The form's field name for a path that the server refuses. */
  readonly nameOf?: (path: string) => string;
  /** Makes invalid fields visible. */
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
 * A form of settings that several users may edit at the same time. It loses nothing typed here, and
 * replaces nothing of other users unless this user has seen it.
 */
export function useSharedForm<T, V extends Record<string, unknown>>(
  options: SharedFormOptions<T, V>,
) {
  const { query, readOnly, place, typedOf, texts, reveal, nameOf = (path) => path } = options;
  const { queryKey } = query;
  // Read here as well, so that the form and the stored value change in the same render.
  const { data: stored = options.fallback } = useQuery({ ...query, enabled: false });
  // The version the form was filled from: changes and If-Match refer to it, not to later reads.
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
      // A read that began before the save would bring back old values.
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

  /** Takes over `now`, but keeps what the user typed since `before`. */
  function adopt(now: Versioned<T>, before: V) {
    setRead(now);
    form.setValues(mergeValues(before, form.getValues(), typedOf(now.value)));
  }

  /** Another user saved first. Asks only about values that both changed differently. */
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

  /** The conflict's buttons disappear, so the focus returns to Save. */
  function closeConflict() {
    if (!theirs) return;
    setTheirs(null);
    place.current?.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
  }

  // A later read fills the form only if the user has typed nothing.
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
    /** Acts if all fields are valid; else shows the errors of the fields. */
    whenValid: (act: () => void) => submit(act, reveal)(),
    keepTheirs() {
      form.setValues({ ...form.getValues(), ...theirs });
      closeConflict();
    },
  };
}
