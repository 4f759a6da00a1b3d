import type { Challenge } from "@palisade/login-rules/shared/verified-players";
import { FallStep, PlatformStep } from "./fall.ts";
import type { ChallengeStep, StepContext, StepName } from "./step.ts";
import { TeleportsStep } from "./teleports.ts";

/** Steps in the limbo, made when their turn comes. The keep-alive comes before the limbo. */
export type LimboStepName = Exclude<StepName, "keep-alive">;

const makers: Readonly<Partial<Record<LimboStepName, (context: StepContext) => ChallengeStep>>> = {
  fall: (context) => new FallStep(context),
  platform: (context) => new PlatformStep(context),
  teleports: (context) => new TeleportsStep(context),
};

/** Whether a grade is asked for in the limbo. */
export function needsLimbo(challenge: Challenge): boolean {
  return challenge === "gravity" || challenge === "captcha";
}

/** The steps of a grade, in an order that no client can foresee. A captcha comes last. */
export function planOf(
  challenge: Challenge,
  { random }: Pick<StepContext, "random" | "protocol">,
): LimboStepName[] {
  if (!needsLimbo(challenge)) return [];
  return shuffled(["fall", "platform", "teleports"], random);
}

export function stepOf(name: LimboStepName, context: StepContext): ChallengeStep | undefined {
  return makers[name]?.(context);
}

/** Fisher and Yates. */
function shuffled<T>(items: readonly T[], random: StepContext["random"]): T[] {
  const rest = [...items];
  const order: T[] = [];
  while (rest.length > 0) order.push(...rest.splice(random(0, rest.length), 1));
  return order;
}
