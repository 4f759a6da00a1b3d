import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "./client.ts";
import { readView, useStoredUser } from "./session.ts";

export const currentUserQuery = queryOptions({
  queryKey: ["user"],
  queryFn: async ({ signal }) => {
    // Loaded on demand: signed-out visitors do not need this schema.
    const { user } = await import("@palisade/contract/http/auth");
    const { data } = await call(user, { signal });
    if (readView() === undefined) useStoredUser.setState({ user: data.user });
    return data.user;
  },
  // In a view as customer, the stored user is the staff member.
  initialData: () =>
    readView() === undefined ? (useStoredUser.getState().user ?? undefined) : undefined,
  // The stored user is shown at once and read again right away.
  initialDataUpdatedAt: 0,
  staleTime: 30_000,
});

/** The signed-in user. Use it only below the dashboard's guard, which has loaded it. */
export function useCurrentUser() {
  return useQuery(currentUserQuery).data;
}
