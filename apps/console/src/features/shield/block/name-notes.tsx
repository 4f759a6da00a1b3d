import { Trans } from "@lingui/react/macro";

/** Says how little a name on the whitelist proves. */
export function AllowedNameNote() {
  return (
    <Trans>
      Anyone can type a name that is on the whitelist, and that login skips all checks but AntiBot
      rates and max connections. A server in online mode refuses the wrong player; a server in
      offline mode lets them in. Allow addresses there instead.
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
