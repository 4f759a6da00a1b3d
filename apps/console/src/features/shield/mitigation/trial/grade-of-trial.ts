import type {
  AntibotLevel,
  ChallengeGrade,
  TryChallenge,
} from "@palisade/contract/edge/plain-values";

/** The grade that the address asks for at a level: below High as Medium does during an attack. */
export function gradeOfTrial(challenge: TryChallenge, level: AntibotLevel): ChallengeGrade {
  if (challenge !== "level") return challenge;
  if (level === "extreme") return "captcha";
  return level === "high" ? "gravity" : "protocol";
}
