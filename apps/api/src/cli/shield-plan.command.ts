import { setPlanByHand } from "#src/features/renewals/operator-plans.service.ts";
import { CommandError, type Command } from "./command.ts";
import { changeShield, readShieldArgs, unknownShield } from "./shield-change.ts";

export const shieldPlanCommand: Command = {
  name: "shield plan",
  usage: "<label> <plan> --reason <text>",
  summary: "Puts a shield on a plan, such as pro, without charging; the next renewal has its price",
  async run(args) {
    const {
      label,
      reason,
      rest: [slug = ""],
    } = readShieldArgs(args, 2);
    const outcome = await changeShield((deps, now) =>
      setPlanByHand(deps, { label, slug, reason, now }),
    );
    if (outcome === "unknown") throw unknownShield(label);
    if (outcome === "deleted") throw new CommandError(`${label} is deleted`);
    if (outcome === "unknown plan") throw new CommandError(`There is no plan ${slug}`);
    if (typeof outcome === "object") {
      const exceeded = outcome.exceeded.map(
        ({ limit, used, allowed }) => `${limit}: ${used}, allowed ${allowed}`,
      );
      throw new CommandError(`${label} has more than ${slug} allows: ${exceeded.join("; ")}`);
    }
    console.log(`${label} ${outcome === "done" ? "is on" : "was on"} the plan ${slug}`);
  },
};
