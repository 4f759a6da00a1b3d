import { Trans } from "@lingui/react/macro";
import type { AntibotState } from "@palisade/contract/http/servers";
import { AttackResponse } from "#src/ui/attack-response.tsx";
import { MitigationLink } from "./mitigation-link.tsx";

/** That there is an attack, what is done about it, and where to change that if it is nothing. */
export function UnderAttack(props: { serverId: string; antibot: AntibotState }) {
  const { serverId, antibot } = props;
  return (
    <>
      <strong>
        <Trans>Under attack.</Trans>
      </strong>{" "}
      <AttackResponse antibot={antibot} />{" "}
      {antibot === "on" ? null : <MitigationLink serverId={serverId} />}
    </>
  );
}
