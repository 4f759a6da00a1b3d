import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";

/** To where it is decided what an attack meets. */
export function MitigationLink({ serverId }: { serverId: string }) {
  return (
    <Link
      to="/dashboard/gameshield/$serverId/{-$section}"
      params={{ serverId, section: "mitigation" }}
    >
      <Trans>Mitigation settings</Trans>
    </Link>
  );
}
