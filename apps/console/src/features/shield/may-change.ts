import { createContext, use } from "react";

/** False around a section that the member's role only lets them view. */
export const MayChange = createContext(true);

/**
 * Whether the user may change the section that is shown. Without the right, what changes something is
 * left out or disabled; reading stays, with copy, export, search and dialogs that only show.
 */
export function useMayChange(): boolean {
  return use(MayChange);
}
