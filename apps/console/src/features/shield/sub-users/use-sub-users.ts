import { useLingui } from "@lingui/react/macro";
import {
  addSubUser,
  removeSubUser,
  updateSubUser,
  type addSubUserBody,
  type updateSubUserBody,
} from "@palisade/contract/http/sub-users";
import { useMutation } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "#src/api/client.ts";
import { queryClient } from "#src/api/query-client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { subUsersQuery } from "./sub-users.queries.ts";

type InvitationBody = z.input<typeof addSubUserBody>;
type RoleBody = z.input<typeof updateSubUserBody>;

function refresh(shieldId: string): void {
  void queryClient.invalidateQueries({ queryKey: subUsersQuery(shieldId).queryKey });
}

export function useInvite(shieldId: string) {
  return useMutation({
    mutationFn: (body: InvitationBody) =>
      withStepUp(() => call(addSubUser, { params: { id: shieldId }, body })),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      refresh(shieldId);
    },
  });
}

export function useRoleChange(shieldId: string) {
  const { t } = useLingui();
  return useMutation({
    mutationFn: ({ subUserId, body }: { readonly subUserId: string; readonly body: RoleBody }) =>
      withStepUp(() => call(updateSubUser, { params: { id: shieldId, subUserId }, body })),
    onSuccess: ({ data }) => {
      toast("success", data.message);
    },
    onError: (error) => toastError(error, t`Failed to change the role`),
    // Also after a failure: the sub-user may have left already.
    onSettled: () => refresh(shieldId),
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
    onError: (error) => toastError(error, t`Error removing sub user`),
    // Also after a failure: the sub-user may have left already.
    onSettled: () => refresh(shieldId),
  });
}
