import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";

/** To where it is decided what an attack meets. */
export function MitigationLink({ serverId }: { serverId: string }) {
  return (
    <Link to={paths.shield} params={{ shieldId: serverId, section: "mitigation" }}>
      <Trans>Mitigation settings</Trans>
    </Link>
  );
}
