import { Trans } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useSearch } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import { AttackTimeline } from "../overview/attack-timeline.tsx";
import { useAttacks } from "../overview/use-attacks.ts";
import { AttackView } from "./attack-view.tsx";

/** All attacks on the shield, or the one that the address names. */
export function AttacksSection({ shield }: { shield: Server }) {
  const { attack } = useSearch({ from: paths.shield });
  if (attack !== undefined) return <AttackView key={attack} shield={shield} attackId={attack} />;
  return <AllAttacks shieldId={shield.id} />;
}

function AllAttacks({ shieldId }: { shieldId: string }) {
  const { running: _running, ...attacks } = useAttacks(shieldId);
  return <AttackTimeline shieldId={shieldId} title={<Trans>All attacks</Trans>} {...attacks} />;
}
