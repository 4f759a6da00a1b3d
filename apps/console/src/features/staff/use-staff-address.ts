import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { paths } from "#src/lib/paths.ts";

/**
 * The parameters of a page of the staff area, and how to change them. A change returns to the first
 * page of a list unless it names another.
 *
 * @param read made with `searchOf`
 */
export function useStaffAddress<S extends object>(read: (given: Record<string, unknown>) => S) {
  const given: Record<string, unknown> = useSearch({ from: paths.staffPage });
  const navigate = useNavigate();
  const show = useCallback(
    (change: { readonly [N in keyof S]?: S[N] | undefined }, replace = false) =>
      void navigate({
        from: paths.staffPage,
        to: ".",
        search: (before: Record<string, unknown>) => ({ ...before, page: undefined, ...change }),
        replace,
      }),
    [navigate],
  );
  return { search: read(given), show };
}
