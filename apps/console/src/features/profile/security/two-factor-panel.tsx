import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { setUpTwoFactor } from "@palisade/contract/http/two-factor";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { Panel } from "#src/ui/panel.tsx";
import { Status } from "#src/ui/status.tsx";
import { toastFailure } from "../failures.ts";
import classes from "../profile.module.css";
import { TwoFactorManage } from "./two-factor-manage.tsx";
import { TwoFactorSetup } from "./two-factor-setup.tsx";

export function TwoFactorPanel({ enabled }: { enabled: boolean }) {
  const { t } = useLingui();
  const setUp = useMutation({
    mutationFn: async () => (await call(setUpTwoFactor, {})).data,
    onError: (error) => toastFailure(error, t`Failed to setup 2FA`),
  });
  return (
    <Panel
      prominent
      title={t`Two-factor authentication`}
      note={t`A code of your phone besides the password: a stolen password alone opens nothing.`}
      aside={
        <Status tone={enabled ? "protected" : "idle"}>
          {enabled ? <Trans>On</Trans> : <Trans>Off</Trans>}
        </Status>
      }
    >
      {enabled ? (
        <TwoFactorManage onDisabled={setUp.reset} />
      ) : setUp.data ? (
        <TwoFactorSetup secret={setUp.data.secret} qrCode={setUp.data.qr_code} />
      ) : (
        <div className={classes["actions"]}>
          <Button loading={setUp.isPending} onClick={() => setUp.mutate()}>
            <Trans>Set up</Trans>
          </Button>
        </div>
      )}
    </Panel>
  );
}
