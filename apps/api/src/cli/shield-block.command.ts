import { blockShield, unblockShield } from "#src/features/renewals/operator-plans.service.ts";
import { CommandError, type Command } from "./command.ts";
import { changeShield, readShieldArgs, unknownShield } from "./shield-change.ts";

export const shieldBlockCommand: Command = {
  name: "shield block",
  usage: "<label> --reason <text>",
  summary: "Blocks a shield: new players are told so, and its owner reads the reason",
  run: (args) => run(args, blockShield, "is blocked now", "was blocked already"),
};

export const shieldUnblockCommand: Command = {
  name: "shield unblock",
  usage: "<label> --reason <text>",
  summary: "Lifts the block of a shield; unpaid for more than 72 hours, it has expired",
  run: (args) => run(args, unblockShield, "is no longer blocked", "was not blocked"),
};

async function run(
  args: readonly string[],
  change: typeof blockShield,
  done: string,
  already: string,
): Promise<void> {
  const { label, reason } = readShieldArgs(args, 1);
  const outcome = await changeShield((deps, now) => change(deps, { label, reason, now }));
  if (outcome === "unknown") throw unknownShield(label);
  if (outcome === "deleted") throw new CommandError(`${label} is deleted`);
  console.log(`${label} ${outcome === "done" ? done : already}`);
}
