import { parseArgs } from "node:util";
import { setSupportByHand } from "#src/features/renewals/operator-support.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";
import { readReason } from "./staff-options.ts";

export const supportPlanCommand: Command = {
  name: "support plan",
  usage: "<email> <plan> --reason <text>",
  summary:
    "Puts an account on a support plan, such as priority, without charging; the next renewal has its price",
  async run(args) {
    const { email, slug, reason } = read(args);
    const outcome = await withDatabase((db, _, clock, audit) =>
      setSupportByHand({ db, audit }, { email, slug, reason, now: clock.now() }),
    );
    if (outcome === "unknown") throw new CommandError(`There is no confirmed account ${email}`);
    if (outcome === "unknown plan") throw new CommandError(`There is no support plan ${slug}`);
    console.log(`${email} ${outcome === "done" ? "is on" : "was on"} the support plan ${slug}`);
  },
};

function read(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { reason: { type: "string" } },
      allowPositionals: true,
    });
    const [email, slug, ...rest] = positionals;
    if (email === undefined || slug === undefined || rest.length > 0) {
      throw new CommandError("Give the e-mail of an account and a support plan", 2);
    }
    return { email, slug, reason: readReason(values.reason) };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(error instanceof Error ? error.message : "Unknown option", 2);
  }
}
