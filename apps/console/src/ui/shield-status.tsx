import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { Status } from "./status.tsx";

export const shieldStatusLabels = {
  active: msg`Active`,
  attack: msg`Under attack`,
  expired: msg`Expired`,
  blocked: msg`Blocked`,
  deleted: msg`Deleted`,
};
const tones = {
  active: "protected",
  attack: "attack",
  expired: "danger",
  blocked: "danger",
  deleted: "danger",
} as const;

export function ShieldStatus(props: { status: Server["status"]; underAttack: boolean }) {
  const { i18n } = useLingui();
  const state = props.status === "active" && props.underAttack ? "attack" : props.status;
  return <Status tone={tones[state]}>{i18n._(shieldStatusLabels[state])}</Status>;
}
