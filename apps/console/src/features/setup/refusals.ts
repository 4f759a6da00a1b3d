import { create } from "zustand";
import type { TypedField } from "./draft.ts";

type Refusals = Partial<Record<TypedField, string | undefined>>;

/** Finished texts of the server beside the fields it refused, until they are changed. */
export const useRefusals = create<Refusals>()(() => ({}));

export function refuse(refusals: Refusals): void {
  useRefusals.setState(refusals);
}

export function forgetRefusals(): void {
  useRefusals.setState({}, true);
}
