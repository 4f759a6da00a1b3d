import { useLingui } from "@lingui/react/macro";
import { planChangeRoutes } from "@palisade/contract/http/plan-changes";
import type { Server, ServerOverview } from "@palisade/contract/http/servers";
import { useMutation } from "@tanstack/react-query";
import { refreshBalance } from "#src/api/balance.ts";
import { call } from "#src/api/client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { PlannedChange } from "#src/ui/planned-change.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";

interface PlannedPlanProps {
  readonly shield: Server;
  readonly overview: ServerOverview;
}

/** The plan of the next period, and the owner's way back to the present one. */
export function PlannedPlan({ shield, overview }: PlannedPlanProps) {
  const { t } = useLingui();
  const { planned_plan: planned } = overview;
  const cancel = useMutation({
    mutationFn: () =>
      withStepUp(() => call(planChangeRoutes.cancelPlanChange, { params: { id: shield.id } })),
    onSuccess: async ({ data }) => {
      toast("success", data.message);
      await refreshBalance();
    },
    onError: (error) => toastError(error, t`Failed to change server plan`),
  });
  if (planned === null) return null;
  const canCancel = shield.role === "owner" && overview.status === "active";
  return (
    <PlannedChange
      planned={planned}
      isBusy={cancel.isPending}
      onCancel={canCancel ? () => cancel.mutate() : null}
    />
  );
}
