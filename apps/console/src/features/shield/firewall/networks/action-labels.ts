import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { NetworkAction } from "@palisade/contract/edge/plain-values";
import type { Tone } from "#src/ui/status.tsx";

interface ActionLabel {
  readonly name: MessageDescriptor;
  /** The consequence for players. */
  readonly effect: MessageDescriptor;
  readonly tone: Tone;
}

/** In the order of the form. */
export const actionLabels: Readonly<Record<NetworkAction, ActionLabel>> = {
  block: {
    name: msg`Block`,
    effect: msg`Players from there are refused and read your blacklist message.`,
    tone: "danger",
  },
  challenge: {
    name: msg`Challenge`,
    effect: msg`New players from there are checked at every AntiBot level: with Java they must pass the gravity check, with Bedrock they are treated as at High.`,
    tone: "attack",
  },
  allow: {
    name: msg`Allow`,
    effect: msg`Players from there skip the VPN check and are never checked harder for suspicion.`,
    tone: "protected",
  },
};
