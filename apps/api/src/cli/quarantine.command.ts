import { formatCents } from "#src/features/ledger/money.service.ts";
import {
  listQuarantine,
  resolutions,
  type Resolution,
} from "#src/features/payments/quarantine.service.ts";
import { z } from "zod";
import { CommandError, withDatabase, type Command } from "./command.ts";
import { place, readOrder } from "./money.command.ts";

export const quarantineListCommand: Command = {
  name: "quarantine list",
  usage: "",
  summary:
    "Lists payments, refunds and disputes that do not match what was ordered; nothing of them was posted",
  async run() {
    const cases = await withDatabase((db) => listQuarantine(db));
    for (const each of cases) {
      console.log(
        `${each.id}  ${each.found_at.toISOString()}  ${each.provider} ${each.reference}  ` +
          `${formatCents(each.amountCents)} ${each.currency}  ${each.email ?? "no account"}  ${each.reason}`,
      );
    }
    console.log(`${cases.length} open`);
  },
};

export const quarantineResolveCommand: Command = {
  name: "quarantine resolve",
  usage: `<case> <${resolutions.join("|")}> --reason <text> --by <staff e-mail> [--key <key>]`,
  summary:
    "Ends a case: credits the payer, or says that the money was sent back at the provider or was none",
  async run(args) {
    const options = readOrder(args);
    const [caseId, word, ...rest] = options.words;
    const resolution = resolutions.find((each): each is Resolution => each === word);
    if (!z.uuid().safeParse(caseId).success || caseId === undefined || rest.length > 0) {
      throw new CommandError("Give one case, as quarantine list names it", 2);
    }
    if (resolution === undefined) {
      throw new CommandError(`Say what to do: ${resolutions.join(", ")}`, 2);
    }
    await place(options, () =>
      Promise.resolve({ kind: "quarantine", details: { caseId, resolution } }),
    );
  },
};
