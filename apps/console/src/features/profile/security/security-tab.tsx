import type { Profile } from "@palisade/contract/http/account";
import classes from "../profile.module.css";
import { ApiKeysPanel } from "./api-keys-panel.tsx";
import { EmailPanel } from "./email-panel.tsx";
import { PasswordPanel } from "./password-panel.tsx";
import { ProfileKeyPanel } from "./profile-key-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import { TwoFactorPanel } from "./two-factor-panel.tsx";

export function SecurityTab({ profile }: { profile: Profile }) {
  return (
    <>
      <ProfileKeyPanel masked={profile.api_key} />
      <ApiKeysPanel />
      <TwoFactorPanel enabled={profile.two_factor_enabled} />
      <div className={classes["pair"]}>
        <EmailPanel profile={profile} />
        <PasswordPanel email={profile.email} />
      </div>
      <SessionsPanel />
    </>
  );
}
