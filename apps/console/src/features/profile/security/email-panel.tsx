import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { updateEmail, updateEmailBody, type Profile } from "@palisade/contract/http/account";
import { IconMail } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "#src/api/client.ts";
import { fieldIssues } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { toast } from "#src/ui/toasts.tsx";
import classes from "../profile.module.css";
import { profileQuery } from "../profile.queries.ts";

const empty = { email: "", email_confirmation: "" };

export function EmailPanel({ profile }: { profile: Profile }) {
  const { t } = useLingui();
  const { email: current, pending_email: pending } = profile;
  const schema = useMemo(() => otherThan(current), [current]);
  const { form, field, submit, placeIssues } = useContractForm(schema, empty);
  const save = useMutation({
    mutationFn: (body: typeof empty) => withStepUp(() => call(updateEmail, { body })),
    onSuccess: async ({ data }) => {
      toast("success", data.message);
      form.setValues(empty);
      await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey, exact: true });
    },
    onError: (error) => {
      if (!placeIssues(fieldIssues(error))) toastError(error, t`Failed to update email`);
    },
  });
  const isTyped = form.values.email !== "" && form.values.email_confirmation !== "";

  return (
    <Panel prominent title={t`Change email`} note={t`Current address: ${current}`}>
      <form
        className={classes["column"]}
        noValidate
        onSubmit={submit((values) => save.mutate(values))}
      >
        {pending === null ? null : (
          <Banner tone="neutral" icon={<IconMail size={18} stroke={1.6} />}>
            <Trans>
              Check <strong>{pending}</strong> for a verification link. Your old address stays until
              you open it.
            </Trans>
          </Banner>
        )}
        <TextInput
          {...field("email")}
          label={t`New email`}
          type="email"
          inputMode="email"
          autoComplete="email"
        />
        <TextInput
          {...field("email_confirmation")}
          label={t`Repeat new email`}
          type="email"
          inputMode="email"
          autoComplete="email"
        />
        <div className={classes["actions"]}>
          <ActionButton type="submit" disabled={!isTyped} loading={save.isPending}>
            <Trans>Change email</Trans>
          </ActionButton>
        </div>
      </form>
    </Panel>
  );
}

/** The contract's rules, and that the address differs from the current one. */
function otherThan(current: string) {
  return updateEmailBody.refine(({ email }) => email.toLowerCase() !== current.toLowerCase(), {
    path: ["email"],
    message: "email.same",
  });
}
