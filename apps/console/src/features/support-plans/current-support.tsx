import { Trans, useLingui } from "@lingui/react/macro";
import { supportPlanRoutes } from "@palisade/contract/http/plan-changes";
import { useMutation } from "@tanstack/react-query";
import { refreshBalance } from "#src/api/balance.ts";
import { call } from "#src/api/client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { PlannedChange } from "#src/ui/planned-change.tsx";
import { Day } from "#src/ui/time.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { refreshSupportPlans, type SupportSubscription } from "./support-plans.queries.ts";
import classes from "./support-plans.module.css";

/** The plan that the account holds, when it renews, and the change that is planned. */
export function CurrentSupport({ held }: { held: SupportSubscription }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const cancel = useMutation({
    mutationFn: () => withStepUp(() => call(supportPlanRoutes.cancelSupportChange, {})),
    onSuccess: async ({ data }) => {
      toast("success", data.message);
      await Promise.all([refreshSupportPlans(), refreshBalance()]);
    },
    onError: (error) => toastError(error, t`Failed to change support plan`),
  });
  const price = euros(locale, held.price_cents);
  const { planned, period_ends_at: endsAt } = held;
  return (
    <Panel title={<Trans>Your support plan</Trans>}>
      <p className={classes["figure"]}>
        {held.plan?.name ?? t`Free`}
        <small>
          <Trans>{price} a month</Trans>
        </small>
      </p>
      <p className={classes["hint"]}>
        {endsAt === null ? (
          <Trans>This plan costs nothing: there is nothing to renew.</Trans>
        ) : planned === null ? (
          <Trans>
            Paid until <Day at={endsAt} />. The next month is charged a day before: credit cards
            first, then the account balance. If neither pays, the free plan follows.
          </Trans>
        ) : (
          <Trans>
            Paid until <Day at={endsAt} />.
          </Trans>
        )}
      </p>
      {planned === null ? null : (
        <div className={classes["planned"]}>
          <PlannedChange
            planned={planned}
            isBusy={cancel.isPending}
            onCancel={() => cancel.mutate()}
          />
        </div>
      )}
    </Panel>
  );
}
