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

/** Where `{discord}` leads: the operator's invitation, null where there is none. */
export function useDiscordInvite(): string | null {
  return useInvite() ?? null;
}

/** Whether there is none for certain: `{discord}` becomes nothing. */
export function useLacksDiscord(): boolean {
  return useInvite() === null;
}
