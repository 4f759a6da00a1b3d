import { Trans, useLingui } from "@lingui/react/macro";
import { Panel } from "#src/ui/panel.tsx";
import { Status } from "#src/ui/status.tsx";
import { TwoFactorManage } from "./two-factor-manage.tsx";
import { TwoFactorSetup } from "./two-factor-setup.tsx";

export function TwoFactorPanel({ enabled }: { enabled: boolean }) {
  const { t } = useLingui();
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
      {enabled ? <TwoFactorManage /> : <TwoFactorSetup />}
    </Panel>
  );
}
