import { create } from "zustand";
import type { TypedField } from "./draft.ts";

type FieldErrors = Partial<Record<TypedField, string | undefined>>;

/** Finished texts of the server beside the fields it refused, until they are changed. */
export const useFieldErrors = create<FieldErrors>()(() => ({}));

export function setFieldErrors(refusals: FieldErrors): void {
  useFieldErrors.setState(refusals);
}

export function clearFieldErrors(): void {
  useFieldErrors.setState({}, true);
}
