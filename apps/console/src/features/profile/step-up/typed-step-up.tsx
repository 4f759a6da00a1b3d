import { Button, PasswordInput, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { stepUp } from "@palisade/contract/http/two-factor";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { call } from "#src/api/client.ts";
import { useCurrentUser } from "#src/api/current-user.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { renewToken } from "#src/api/session.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { TextButton } from "#src/ui/text-button.tsx";
import { useVisibilityLabel } from "#src/ui/visibility-label.ts";
import classes from "../profile.module.css";
import type { StepUpProps } from "./step-up-props.ts";

interface TypedStepUpProps extends StepUpProps {
  readonly factor: "code" | "backup code" | "password";
  /** The passkey is at hand after all; only where there is one. */
  readonly onFound?: () => void;
}

/** Asks for a code, a backup code in place of a passkey, or the password. */
export function TypedStepUp({ factor, onConfirmed, onDeclined, onFound }: TypedStepUpProps) {
  const { t } = useLingui();
  const formId = useId();
  const visibility = useVisibilityLabel();
  const input = useRef<HTMLInputElement>(null);
  const user = useCurrentUser();
  const means = factor === "password" ? "current_password" : "code";
  const [typed, setTyped] = useState("");
  const confirm = useMutation({
    mutationFn: () =>
      renewToken(async () => {
        const body = { [means]: means === "code" ? typed.trim() : typed };
        return (await call(stepUp, { body })).data.access_token;
      }),
    onSuccess: onConfirmed,
    onError: () => input.current?.select(),
  });
  // By default the dialog would focus its first button.
  useEffect(() => input.current?.focus(), []);

  const fallback = t`That could not be checked. Please try again.`;
  const field = {
    ref: input,
    name: "step_up",
    value: typed,
    error:
      confirm.error && (fieldIssues(confirm.error)[means] ?? errorText(confirm.error, fallback)),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      setTyped(currentTarget.value);
      confirm.reset();
    },
  };
  return (
    <Dialog
      opened
      title={t`Confirm that it is you`}
      onClose={onDeclined}
      actions={
        <>
          <Button variant="default" onClick={onDeclined}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton
            type="submit"
            form={formId}
            disabled={typed === ""}
            loading={confirm.isPending}
          >
            <Trans>Confirm</Trans>
          </ActionButton>
        </>
      }
    >
      <form
        id={formId}
        className={classes["column"]}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (typed !== "" && !confirm.isPending) confirm.mutate();
        }}
      >
        <p>
          <Trans>This action needs a fresh confirmation. We do not ask again for 10 minutes.</Trans>
        </p>
        <input type="hidden" name="username" autoComplete="username" value={user?.email ?? ""} />
        {means === "code" ? (
          <TextInput
            {...field}
            label={factor === "code" ? t`Code from the app or a backup code` : t`Backup code`}
            {...(factor === "backup code" && { description: t`Each code works once.` })}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={12}
          />
        ) : (
          <PasswordInput
            {...field}
            label={t`Current password`}
            autoComplete="current-password"
            visibilityToggleButtonProps={visibility}
          />
        )}
        {onFound ? (
          <p>
            <TextButton onClick={onFound}>
              <Trans>Use a passkey</Trans>
            </TextButton>
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
