import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";
import type { ChallengeGrade } from "@palisade/contract/edge/plain-values";

/** Checks of unknown players, weakest first. */
export const challengeLabels: Readonly<Record<ChallengeGrade, MessageDescriptor>> = {
  protocol: msg`Game check`,
  gravity: msg`Movement check`,
  captcha: msg`Captcha`,
  premium: msg`Account check`,
};
