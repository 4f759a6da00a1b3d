import { Switch, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  automaticPaymentRoutes,
  type AutomaticTopUp,
} from "@palisade/contract/http/automatic-payments";
import type { SavedCard } from "@palisade/contract/http/payment-methods";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { fieldIssues } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { UnsavedGuard } from "#src/ui/unsaved-guard.tsx";
import { automaticTopUpQuery } from "../billing.queries.ts";
import { nextAmount } from "../recharge/amount.ts";
import classes from "./automatic-top-up.module.css";
import { isChanged, toForm, topUpForm, toSettings, type TopUpForm } from "./settings-values.ts";

interface SettingsFormProps {
  readonly stored: AutomaticTopUp;
  /** The default card. */
  readonly card: SavedCard | undefined;
}

export function SettingsForm({ stored, card }: SettingsFormProps) {
  const { t } = useLingui();
  const { form, field, submit, placeIssues } = useContractForm<TopUpForm>(
    topUpForm,
    toForm(stored),
  );
  const { enabled } = form.values;
  const isDirty = isChanged(form.values, stored);
  const save = useMutation({
    mutationFn: (values: TopUpForm) =>
      withStepUp(() =>
        call(automaticPaymentRoutes.updateAutomaticTopUp, { body: toSettings(values, stored) }),
      ),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(automaticTopUpQuery.queryKey, data.settings);
      form.setValues(toForm(data.settings));
      toast("success", data.message);
    },
    onError: (error) => {
      if (!placeIssues(fieldIssues(error))) {
        toastError(error, t`Failed to save the automatic top-up`);
      }
    },
  });
  const euros = (name: "threshold" | "amount") => ({
    ...field(name),
    inputMode: "numeric" as const,
    autoComplete: "off",
    leftSection: <span className={classes["sign"]}>€</span>,
    disabled: save.isPending,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      form.setFieldValue(name, nextAmount(form.values[name], currentTarget.value)),
  });
  const last4 = card?.last4 ?? "";

  return (
    <form className={classes["form"]} noValidate onSubmit={submit((values) => save.mutate(values))}>
      <UnsavedGuard dirty={isDirty} acrossTabs />
      <Switch
        label={t`Top up automatically`}
        description={
          card === undefined
            ? t`Charges the default card`
            : t`Charges the card that ends in ${last4}`
        }
        labelPosition="left"
        withThumbIndicator={false}
        checked={enabled}
        // Not `disabled`: the switch would lose the keyboard focus.
        aria-disabled={save.isPending}
        onChange={({ currentTarget }) => {
          if (!save.isPending) form.setFieldValue("enabled", currentTarget.checked);
        }}
        classNames={{ body: classes["toggle"] ?? "", labelWrapper: classes["label"] ?? "" }}
      />
      {enabled ? (
        <div className={classes["fields"]}>
          <TextInput
            {...euros("threshold")}
            label={t`When the balance is below`}
            description={t`Whole euros, 1 to 1,000`}
          />
          <TextInput
            {...euros("amount")}
            label={t`Charge this amount`}
            description={t`Whole euros, 1 to 1,000`}
          />
        </div>
      ) : null}
      <div className={classes["actions"]}>
        <ActionButton type="submit" disabled={!isDirty} loading={save.isPending}>
          <Trans>Save</Trans>
        </ActionButton>
        {isDirty ? (
          <span className={classes["hint"]}>
            <Trans>Not saved yet</Trans>
          </span>
        ) : null}
      </div>
    </form>
  );
}
