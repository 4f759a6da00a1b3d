import { create } from "zustand";
import type { TypedField } from "./draft.ts";

type FieldErrors = Partial<Record<TypedField, string | undefined>>;

/** The server's messages for refused fields, kept until the field changes. */
export const useFieldErrors = create<FieldErrors>()(() => ({}));

export function setFieldErrors(refusals: FieldErrors): void {
  useFieldErrors.setState(refusals);
}

export function clearFieldErrors(): void {
  useFieldErrors.setState({}, true);
}
