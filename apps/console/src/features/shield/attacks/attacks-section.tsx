import { Trans } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useSearch } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import { AttackTimeline } from "../overview/attack-timeline.tsx";
import { useAttacks } from "../overview/use-attacks.ts";
import type { Change } from "../receipt.tsx";
import { AttackView } from "./attack-view.tsx";

interface AttacksSectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

/** All attacks on the shield, or the one that the address names. */
export function AttacksSection({ shield, onChange }: AttacksSectionProps) {
  const { attack } = useSearch({ from: paths.shield });
  if (attack !== undefined) {
    return <AttackView key={attack} shield={shield} attackId={attack} onChange={onChange} />;
  }
  return <AllAttacks shieldId={shield.id} />;
}

function AllAttacks({ shieldId }: { shieldId: string }) {
  const { running: _running, ...attacks } = useAttacks(shieldId);
  return <AttackTimeline shieldId={shieldId} title={<Trans>All attacks</Trans>} {...attacks} />;
}
