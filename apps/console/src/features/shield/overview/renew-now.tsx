import { Trans, useLingui } from "@lingui/react/macro";
import { planChangeRoutes } from "@palisade/contract/http/plan-changes";
import type { ServerOverview } from "@palisade/contract/http/servers";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { refreshBalance } from "#src/api/balance.ts";
import { call } from "#src/api/client.ts";
import { hasCode, isTransient } from "#src/api/errors.ts";
import { createIdempotencyKeys } from "#src/api/idempotency.ts";
import { wholeEuros } from "#src/lib/whole-euros.ts";
import { openModal } from "#src/lib/modals.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";

interface RenewNowProps {
  readonly shieldId: string;
  readonly renewal: NonNullable<ServerOverview["renewal"]>;
}

/** Pays for the next period at once. Without enough balance it leads to the recharge. */
export function RenewNow({ shieldId, renewal }: RenewNowProps) {
  const { t } = useLingui();
  const [keys] = useState(() => createIdempotencyKeys());
  const renew = useMutation({
    mutationFn: () => {
      const headers = { "idempotency-key": keys.begin(shieldId) };
      return call(planChangeRoutes.renewServer, { params: { id: shieldId }, headers });
    },
    onSuccess: async ({ data }) => {
      keys.settle();
      toast("success", data.message);
      await refreshBalance();
    },
    onError: (error) => {
      if (!isTransient(error) && !hasCode(error, "idempotency_in_progress")) keys.settle();
      toastError(error, t`Failed to renew`);
      if (!hasCode(error, "insufficient_funds")) return;
      const missing = renewal.missing_cents ?? 0;
      openModal("recharge balance", missing > 0 ? { amount: wholeEuros(missing) } : {});
    },
  });
  return (
    <ActionButton size="xs" loading={renew.isPending} onClick={() => renew.mutate()}>
      <Trans>Renew now</Trans>
    </ActionButton>
  );
}
