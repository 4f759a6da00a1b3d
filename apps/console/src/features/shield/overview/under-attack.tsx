import { Trans } from "@lingui/react/macro";
import type { AntibotState } from "@palisade/contract/http/servers";
import { paths } from "#src/lib/paths.ts";
import { AttackResponse } from "#src/ui/attack-response.tsx";
import { Link } from "@tanstack/react-router";

/** Says that there is an attack and what is done; links to the settings if nothing is done. */
export function UnderAttack(props: { shieldId: string; antibot: AntibotState }) {
  const { shieldId, antibot } = props;
  return (
    <>
      <strong>
        <Trans>Under attack.</Trans>
      </strong>{" "}
      <AttackResponse antibot={antibot} />{" "}
      {antibot === "on" ? null : <MitigationLink shieldId={shieldId} />}
    </>
  );
}

/** Link to the mitigation settings. */
export function MitigationLink({ shieldId }: { shieldId: string }) {
  return (
    <Link to={paths.shield} params={{ shieldId, section: "mitigation" }}>
      <Trans>Mitigation settings</Trans>
    </Link>
  );
}
