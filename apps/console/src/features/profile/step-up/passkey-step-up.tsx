import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { beginStepUp, stepUp } from "@palisade/contract/http/two-factor";
import { IconAlertTriangle, IconFingerprint } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { renewToken } from "#src/api/session.ts";
import { answerByPasskey, PasskeyDeclined, passkeysWork } from "#src/lib/passkeys.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { TextButton } from "#src/ui/text-button.tsx";
import classes from "../profile.module.css";
import type { StepUpProps } from "./step-up-props.ts";

interface PasskeyStepUpProps extends StepUpProps {
  /** The passkey is not at hand: a backup code is. */
  readonly onLost: () => void;
}

/** Asks for a passkey, in the browser's own dialog. */
export function PasskeyStepUp({ onConfirmed, onDeclined, onLost }: PasskeyStepUpProps) {
  const { t } = useLingui();
  const button = useRef<HTMLButtonElement>(null);
  const isPossible = passkeysWork();
  const confirm = useMutation({
    mutationFn: async () => {
      const { data } = await call(beginStepUp, {});
      const passkey = await answerByPasskey(data.passkey_options ?? {});
      await renewToken(async () => (await call(stepUp, { body: { passkey } })).data.access_token);
    },
    onSuccess: onConfirmed,
  });
  // By default the dialog would focus its first button.
  useEffect(() => button.current?.focus(), []);
  const failed = isPossible
    ? failureText(confirm.error)
    : t`This browser cannot use passkeys at this address.`;

  function failureText(error: unknown): string | null {
    if (error === null) return null;
    if (error instanceof PasskeyDeclined) return t`No passkey was used. Please try again.`;
    return errorText(error, t`That could not be checked. Please try again.`);
  }

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
            ref={button}
            leftSection={<IconFingerprint size={16} stroke={1.6} />}
            disabled={!isPossible}
            loading={confirm.isPending}
            onClick={() => confirm.mutate()}
          >
            <Trans>Use a passkey</Trans>
          </ActionButton>
        </>
      }
    >
      <div className={classes["column"]}>
        <p>
          <Trans>
            Use your passkey: this action needs a fresh confirmation. We do not ask again for 10
            minutes.
          </Trans>
        </p>
        {failed === null ? null : (
          <Banner
            tone="danger"
            live="assertive"
            icon={<IconAlertTriangle size={18} stroke={1.6} />}
          >
            {failed}
          </Banner>
        )}
        <p>
          <Trans>Lost your passkey?</Trans>{" "}
          <TextButton onClick={onLost}>
            <Trans>Use a backup code</Trans>
          </TextButton>
        </p>
      </div>
    </Dialog>
  );
}
