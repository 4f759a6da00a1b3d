import { Trans } from "@lingui/react/macro";
import type { AntibotState } from "@palisade/contract/http/servers";

/** What is done about an attack that is going on. */
export function AttackResponse({ antibot }: { antibot: AntibotState }) {
  if (antibot === "shadow") {
    return <Trans>Shadow mode is on: attackers are counted, and let in all the same.</Trans>;
  }
  if (antibot === "off") {
    return <Trans>AntiBot is disabled: only your other settings refuse anybody.</Trans>;
  }
  return <Trans>Attackers are refused at the edge; players stay on.</Trans>;
}
