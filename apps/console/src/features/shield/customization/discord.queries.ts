import { accountRoutes } from "@palisade/contract/http/account";
import { useQuery } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

/** Where `{discord}` leads: the operator's invitation, null where there is none. */
export function useDiscordInvite(): string | null {
  const { data } = useQuery({
    queryKey: ["discord-invite"],
    queryFn: async ({ signal }) =>
      (await call(accountRoutes.getProfile, { signal })).data.profile.discord_invite_url,
    staleTime: Infinity,
  });
  return data ?? null;
}
