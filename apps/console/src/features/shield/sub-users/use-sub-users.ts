import { useLingui } from "@lingui/react/macro";
import { addSubUser, removeSubUser } from "@palisade/contract/http/sub-users";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { StepUpDeclined, withStepUp } from "#src/api/step-up.ts";
import { toast } from "#src/ui/toasts.tsx";
import { subUsersQuery } from "./sub-users.queries.ts";

function refresh(shieldId: string): void {
  void queryClient.invalidateQueries({ queryKey: subUsersQuery(shieldId).queryKey });
}

export function useInvite(shieldId: string) {
  return useMutation({
    mutationFn: (email: string) =>
      withStepUp(() => call(addSubUser, { params: { id: shieldId }, body: { email } })),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      refresh(shieldId);
    },
  });
}

export function useRemoval(shieldId: string) {
  const { t } = useLingui();
  return useMutation({
    mutationFn: (subUserId: string) =>
      withStepUp(() => call(removeSubUser, { params: { id: shieldId, subUserId } })),
    onSuccess: ({ data }) => {
      toast("success", data.message);
    },
    onError: (error) => {
      if (error instanceof StepUpDeclined) return;
      toast("error", errorText(error, t`Error removing sub user`));
    },
    // Also after a failure: the sub-user may have left already.
    onSettled: () => refresh(shieldId),
  });
}
