import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { Status } from "./status.tsx";

export const shieldStatusLabels = {
  active: msg`Active`,
  attack: msg`Under attack`,
  used_up: msg`Traffic used up`,
  unpaid: msg`Unpaid`,
  expired: msg`Expired`,
  blocked: msg`Blocked`,
  deleted: msg`Deleted`,
};
const tones = {
  active: "protected",
  attack: "attack",
  used_up: "danger",
  unpaid: "attack",
  expired: "danger",
  blocked: "danger",
  deleted: "danger",
} as const;

interface ShieldStatusProps {
  readonly status: Server["status"];
  readonly underAttack: boolean;
  readonly isUsedUp?: boolean;
  readonly isUnpaid?: boolean;
}

/** The most important fact about a shield, in few words. */
export function ShieldStatus(props: ShieldStatusProps) {
  const { i18n } = useLingui();
  const state = stateOf(props);
  return <Status tone={tones[state]}>{i18n._(shieldStatusLabels[state])}</Status>;
}

function stateOf({ status, underAttack, isUsedUp, isUnpaid }: ShieldStatusProps) {
  if (status !== "active") return status;
  if (underAttack) return "attack";
  if (isUsedUp) return "used_up";
  return isUnpaid ? "unpaid" : "active";
}
