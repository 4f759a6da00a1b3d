import { schemaResolver, useForm, type UseFormReturnType } from "@mantine/form";
import { renderText, isTextKey } from "@palisade/contract/texts/render";
import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { useLocale } from "./preferences.ts";

type Values = Record<string, unknown>;

/**
 * A form checked by a schema of the contract. It stays quiet until the first submit; from then on
 * fields are checked as they change, and the first wrong one takes the focus.
 */
export function useContractForm<V extends Values>(schema: z.ZodType, initialValues: V) {
  const [submitted, setSubmitted] = useState(false);
  const { locale } = useLocale();
  const form = useForm<V>({
    initialValues,
    validate: schemaResolver(schema, { sync: true }),
    validateInputOnChange: submitted,
  });

  // A rule may depend on another field, so a change may fix an error elsewhere. The server's messages
  // stay until their own field changes.
  const checked = useRef(form.values);
  useEffect(() => {
    if (checked.current === form.values) return;
    checked.current = form.values;
    for (const [name, error] of Object.entries(form.errors)) {
      if (typeof error === "string" && isTextKey(error)) form.validateField(name);
    }
  });

  // Keys of the contract are rendered here, so that a language switch renders them again;
  // issues of the server arrive as finished texts.
  const shownError = (error: unknown) => {
    if (typeof error !== "string") return undefined;
    return isTextKey(error) ? renderText(locale, error) : error;
  };

  /** Props of an input: value, handler and error in the reader's language. */
  const field = (name: keyof V & string, options?: { type: "checkbox" }) => {
    const props = form.getInputProps(name, options ?? {}) as { error?: unknown };
    return { ...props, name, error: shownError(props.error) };
  };

  /** `refused` runs if a field is invalid, after the fields have shown their errors. */
  const submit = (run: (values: V) => void, refused?: (paths: string[]) => void) =>
    form.onSubmit(
      (values) => {
        setSubmitted(true);
        run(values);
      },
      (errors) => {
        setSubmitted(true);
        focusFirst(form, Object.keys(errors));
        refused?.(Object.keys(errors));
      },
    );

  /** Shows the server's issues beside their fields; true if at least one field exists. */
  const placeIssues = (issues: Record<string, string>): boolean => {
    const known = Object.entries(issues).filter(([path]) => path in form.getValues());
    if (known.length === 0) return false;
    form.setErrors(Object.fromEntries(known));
    const paths = known.map(([path]) => path);
    focusFirst(form, paths);
    return true;
  };

  return { form, field, submit, placeIssues };
}

function focusFirst<V extends Values>(form: UseFormReturnType<V>, paths: string[]): void {
  const first = Object.keys(form.getValues()).find((name) => paths.includes(name));
  if (first !== undefined) document.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
}
