import type { Profile } from "@palisade/contract/http/account";
import { DataPanel } from "./data-panel.tsx";
import { ProfileForm } from "./profile-form.tsx";

export function GeneralTab({ profile }: { profile: Profile }) {
  return (
    <>
      <ProfileForm profile={profile} />
      <DataPanel email={profile.email} />
    </>
  );
}
