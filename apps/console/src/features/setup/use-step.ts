import { isTextKey, renderText } from "@palisade/contract/texts/render";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useState, type ChangeEvent } from "react";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { changeDraft, useDraft, type TypedField } from "./draft.ts";
import { setFieldErrors, useFieldErrors } from "./field-errors.ts";
import { issuesOfStep, stepNames, type StepName } from "./steps.ts";

/** The part of the domain step with the records to create. */
export type Part = "records" | undefined;

/** Steps are entries of the browser's history, so Back and a reload work. */
export function useGoTo() {
  const navigate = useNavigate();
  return useCallback(
    (step: number, options: { part?: Part; replace?: boolean } = {}) => {
      const search = { step, ...(options.part ? { part: options.part } : {}) };
      void navigate({ to: paths.setup, search, replace: options.replace ?? false });
    },
    [navigate],
  );
}

/**
 * The fields of a step. A field shows its error after it was filled in and left; after Next, every
 * field does, and the first invalid one takes the focus.
 */
export function useStep(name: StepName) {
  const { draft } = useDraft();
  const { locale } = useLocale();
  const refusals = useFieldErrors();
  const goTo = useGoTo();
  const [tried, setTried] = useState(false);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const issues = issuesOfStep(draft, name);

  function errorOf(field: TypedField): string | undefined {
    if (refusals[field] !== undefined) return refusals[field];
    const issue = issues[field];
    if (issue === undefined || !(tried || (left.has(field) && draft[field] !== "")))
      return undefined;
    return isTextKey(issue) ? renderText(locale, issue) : issue;
  }

  function change(field: TypedField, value: string) {
    changeDraft({ [field]: value });
    setFieldErrors({ [field]: undefined });
  }

  /** Props of an input. */
  const field = (name: TypedField) => ({
    name,
    value: draft[name],
    error: errorOf(name),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
      change(name, currentTarget.value),
    onBlur: () => setLeft((before) => new Set(before).add(name)),
  });

  /** Shows the errors and returns false if a field is invalid. */
  function isValid(): boolean {
    setTried(true);
    const [first] = Object.keys(issuesOfStep(useDraft.getState().draft, name));
    if (first === undefined) return true;
    document.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    return false;
  }

  /** Focuses the first of the fields whose value the server has refused. */
  function isRefused(fields: readonly TypedField[]): boolean {
    const known = useFieldErrors.getState();
    const first = fields.find((each) => known[each] !== undefined);
    if (first === undefined) return false;
    document.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    return true;
  }

  const step = stepNames.indexOf(name) + 1;
  return {
    draft,
    field,
    change,
    errorOf,
    isValid,
    isRefused,
    goTo,
    step,
    wrong: tried && Object.keys(issues).length > 0,
    next: () => isValid() && goTo(step + 1),
    back: () => goTo(step - 1),
  };
}
