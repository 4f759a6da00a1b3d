import { Trans } from "@lingui/react/macro";
import type { AntibotState } from "@palisade/contract/http/servers";

/** The current reaction to an attack. */
export function AttackResponse({ antibot }: { antibot: AntibotState }) {
  if (antibot === "shadow") {
    return <Trans>Shadow mode is on: attackers are counted but let in.</Trans>;
  }
  if (antibot === "off") {
    return <Trans>AntiBot is disabled: only your other settings block attackers.</Trans>;
  }
  return <Trans>Attackers are blocked at the edge. Players stay connected.</Trans>;
}
