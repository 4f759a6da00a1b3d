import { getInvitation } from "@palisade/contract/http/sub-users";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

export function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ["invitation", token],
    queryFn: async ({ signal }) =>
      (await call(getInvitation, { params: { token }, signal })).data.invitation,
  });
}
