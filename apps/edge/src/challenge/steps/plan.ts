import { canSteerBoat } from "@palisade/minecraft-protocol/java/limbo/boat";
import { answersResourcePack } from "@palisade/minecraft-protocol/java/limbo/resource-pack";
import type { Challenge } from "@palisade/login-rules/shared/verified-players";
import { type CaptchaContext, CaptchaStep } from "./captcha.ts";
import { FallStep, PlatformStep } from "./fall.ts";
import { HeldItemStep } from "./held-item.ts";
import { ResourcePackStep } from "./resource-pack.ts";
import type { ChallengeStep, StepContext, StepName } from "./step.ts";
import { TeleportsStep } from "./teleports.ts";
import { VehicleStep } from "./vehicle.ts";

/** Steps in the limbo, made when their turn comes. The keep-alive comes before the limbo. */
export type LimboStepName = Exclude<StepName, "keep-alive">;

/** Facts of all steps. */
export interface LimboContext extends StepContext, CaptchaContext {}

const makers: Readonly<Partial<Record<LimboStepName, (context: LimboContext) => ChallengeStep>>> = {
  fall: (context) => new FallStep(context),
  platform: (context) => new PlatformStep(context),
  teleports: (context) => new TeleportsStep(context),
  "held-item": (context) => new HeldItemStep(context),
  vehicle: (context) => new VehicleStep(context),
  "resource-pack": (context) => new ResourcePackStep(context),
  captcha: (context) => new CaptchaStep(context),
};

/** Whether a grade is asked for in the limbo. */
export function needsLimbo(challenge: Challenge): boolean {
  return challenge === "gravity" || challenge === "captcha";
}

/**
 * Steps in their order, in one number, because every player in the limbo has one: three bits of it
 * are the number of a step, the first one lowest, and 0 is the end.
 */
export type Plan = number;

const planBits = 3;
const planMask = (1 << planBits) - 1;
/** At most seven. */
const numbered: readonly LimboStepName[] = [
  "fall",
  "platform",
  "teleports",
  "held-item",
  "vehicle",
  "resource-pack",
  "captcha",
];

/**
 * The steps of a grade, in an order that no client can foresee. A captcha comes last, and before it the
 * client answers whatever its version answers without the player.
 */
export function planOf(
  challenge: Challenge,
  { protocol, random }: Pick<StepContext, "random" | "protocol">,
): Plan {
  if (!needsLimbo(challenge)) return 0;
  const steps: LimboStepName[] = ["fall", "platform", "teleports", "held-item"];
  if (challenge !== "captcha") return packed(shuffled(steps, random));
  if (canSteerBoat(protocol)) steps.push("vehicle");
  if (answersResourcePack(protocol)) steps.push("resource-pack");
  return packed([...shuffled(steps, random), "captcha"]);
}

/** The step at this place, from 0 on; undefined behind the last one. */
export function stepAt(plan: Plan, place: number): LimboStepName | undefined {
  return numbered[((plan >>> (planBits * place)) & planMask) - 1];
}

/** Number of its steps. */
export function lengthOf(plan: Plan): number {
  let length = 0;
  while (stepAt(plan, length) !== undefined) length++;
  return length;
}

function packed(steps: readonly LimboStepName[]): Plan {
  return steps.reduceRight((plan, step) => (plan << planBits) | (numbered.indexOf(step) + 1), 0);
}

export function stepOf(name: LimboStepName, context: LimboContext): ChallengeStep | undefined {
  return makers[name]?.(context);
}

/** Fisher and Yates. */
function shuffled<T>(items: readonly T[], random: StepContext["random"]): T[] {
  const rest = [...items];
  const order: T[] = [];
  while (rest.length > 0) order.push(...rest.splice(random(0, rest.length), 1));
  return order;
}
