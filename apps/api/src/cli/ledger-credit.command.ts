import { parseArgs } from "node:util";
import { BusinessKeyTaken } from "#src/features/ledger/ledger.service.ts";
import { formatCents, parseEuros, totalCents } from "#src/features/ledger/money.service.ts";
import { creditByOperator } from "#src/features/ledger/operator-credit.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";
import { findConfirmedAccount } from "#src/features/users/users.service.ts";

/** A slip of the keyboard should not make anybody a millionaire. */
const creditCentsMax = 1_000_000;

export const ledgerCreditCommand: Command = {
  name: "ledger credit",
  usage: "<email> <euros> --reason <text> [--key <key>]",
  summary: "Adds cash to an account; the same --key adds it once, however often it is run",
  async run(args) {
    const { email, cents, reason, key } = readCredit(args);
    const { isNew, balance } = await withDatabase(async (db, config, clock, audit) => {
      if (!config.development && cents > config.fourEyesCents) {
        throw new CommandError(
          `More than ${formatCents(config.fourEyesCents)} EUR needs a second staff member: use money adjust`,
        );
      }
      const account = await findConfirmedAccount(db, email);
      if (account === undefined) throw new CommandError(`There is no confirmed account ${email}`);
      const order = { userId: account.id, cents, reason, key, now: clock.now() };
      return creditByOperator({ db, audit }, order);
    }).catch((error: unknown) => {
      if (!(error instanceof BusinessKeyTaken)) throw error;
      throw new CommandError(`--key ${key} was used for another account or amount`);
    });
    const outcome = isNew ? "was credited" : "had been credited under this key already with";
    console.log(
      `${email} ${outcome} ${formatCents(cents)} EUR: the balance is ${formatCents(totalCents(balance))} EUR`,
    );
  },
};

function readCredit(args: readonly string[]) {
  const { values, positionals } = parse(args);
  const [email, euros, ...rest] = positionals;
  if (email === undefined || euros === undefined || rest.length > 0) {
    throw new CommandError("Give one e-mail and one amount", 2);
  }
  const cents = parseEuros(euros);
  if (cents === null || cents === 0 || cents > creditCentsMax) {
    const range = `0.01 to ${formatCents(creditCentsMax)}`;
    throw new CommandError(`${euros}: give ${range}, as 20 or 20.50`, 2);
  }
  const reason = values.reason?.trim() ?? "";
  if (reason === "" || reason.length > 200) {
    throw new CommandError("--reason: say in 1 to 200 characters what it is for", 2);
  }
  const key = values.key ?? newId();
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new CommandError("--key: use 1 to 200 printable characters without spaces", 2);
  }
  return { email, cents, reason, key };
}

function parse(args: readonly string[]) {
  const option = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: { reason: option, key: option },
      allowPositionals: true,
    });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : "Unknown option", 2);
  }
}
