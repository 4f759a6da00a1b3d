import { accountRoutes } from "@palisade/contract/http/account";
import { useQuery } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

function useInvite(): string | null | undefined {
  const { data } = useQuery({
    queryKey: ["discord-invite"],
    queryFn: async ({ signal }) =>
      (await call(accountRoutes.getProfile, { signal })).data.profile.discord_invite_url,
    staleTime: Infinity,
  });
  return data;
}

/** The operator's Discord invitation, which replaces `{discord}`; null without one. */
export function useDiscordInvite(): string | null {
  return useInvite() ?? null;
}

/** True once it is known that there is no invitation, so `{discord}` becomes empty. */
export function useLacksDiscord(): boolean {
  return useInvite() === null;
}
