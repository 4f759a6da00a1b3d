import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "./client.ts";
import { useStoredUser } from "./session.ts";

export const currentUserQuery = queryOptions({
  queryKey: ["user"],
  queryFn: async ({ signal }) => {
    // Beside the pages: who is not signed in needs no schema before the first form.
    const { user } = await import("@palisade/contract/http/auth");
    const { data } = await call(user, { signal });
    useStoredUser.setState({ user: data.user });
    return data.user;
  },
  initialData: () => useStoredUser.getState().user ?? undefined,
  // What was stored is shown, and checked right away.
  initialDataUpdatedAt: 0,
  staleTime: 30_000,
});

/** The signed-in user; only below the guard of the dashboard, which has loaded it. */
export function useCurrentUser() {
  return useQuery(currentUserQuery).data;
}
