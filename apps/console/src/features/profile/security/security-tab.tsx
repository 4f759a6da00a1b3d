import type { Profile } from "@palisade/contract/http/account";
import { Trans, useLingui } from "@lingui/react/macro";
import { Panel } from "#src/ui/panel.tsx";
import { Status } from "#src/ui/status.tsx";
import classes from "../profile.module.css";
import { ApiKeysPanel } from "./api-keys-panel.tsx";
import { EmailPanel } from "./email-panel.tsx";
import { PasskeysPanel } from "./passkeys-panel.tsx";
import { PasswordPanel } from "./password-panel.tsx";
import { ProfileKeyPanel } from "./profile-key-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import { TwoFactorManage } from "./two-factor-manage.tsx";
import { TwoFactorSetup } from "./two-factor-setup.tsx";

export function SecurityTab({ profile }: { profile: Profile }) {
  return (
    <>
      <ProfileKeyPanel masked={profile.api_key} />
      <ApiKeysPanel />
      <PasskeysPanel withBackupCodes={!profile.two_factor_enabled} />
      <TwoFactorPanel enabled={profile.two_factor_enabled} />
      <div className={classes["pair"]}>
        <EmailPanel profile={profile} />
        <PasswordPanel profile={profile} />
      </div>
      <SessionsPanel />
    </>
  );
}

function TwoFactorPanel({ enabled }: { enabled: boolean }) {
  const { t } = useLingui();
  return (
    <Panel
      prominent
      title={t`Two-factor authentication`}
      note={t`You log in with your password and a code from your phone. A stolen password alone is not enough.`}
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
