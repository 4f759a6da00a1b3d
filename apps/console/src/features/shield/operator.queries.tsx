import { accountRoutes } from "@palisade/contract/http/account";
import { useQuery } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

function useOperator() {
  const { data } = useQuery({
    queryKey: ["operator"],
    queryFn: async ({ signal }) => {
      const { profile } = (await call(accountRoutes.getProfile, { signal })).data;
      return { discord: profile.discord_invite_url, email: profile.operator_email };
    },
    staleTime: Infinity,
  });
  return data;
}

/** The operator's Discord invitation, which replaces `{discord}`; null without one. */
export function useDiscordInvite(): string | null {
  return useOperator()?.discord ?? null;
}

/** True once it is known that there is no invitation, so `{discord}` becomes empty. */
export function useLacksDiscord(): boolean {
  return useOperator()?.discord === null;
}

export function DiscordLink({ invite }: { invite: string }) {
  return (
    <a href={invite} target="_blank" rel="noreferrer">
      Discord
    </a>
  );
}
