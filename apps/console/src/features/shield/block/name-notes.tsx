import { Trans } from "@lingui/react/macro";

/** Says how little a name on the whitelist proves. */
export function AllowedNameNote() {
  return (
    <Trans>
      A server in offline mode does not check names: anyone can join it under a name that is on the
      whitelist. Allow addresses there instead.
    </Trans>
  );
}

export function BlockedNameNote() {
  return (
    <Trans>
      On a server in offline mode a blocked player can come back under another name; block their
      address too.
    </Trans>
  );
}
