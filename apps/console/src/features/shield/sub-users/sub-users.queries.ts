import { listSubUsers } from "@palisade/contract/http/sub-users";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

export function subUsersQuery(shieldId: string) {
  return queryOptions({
    queryKey: ["servers", shieldId, "sub-users"],
    queryFn: async ({ signal }) =>
      (await call(listSubUsers, { params: { id: shieldId }, signal })).data.sub_users,
    staleTime: 0,
  });
}
