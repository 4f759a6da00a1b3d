import { parseArgs } from "node:util";
import { BusinessKeyTaken } from "#src/features/ledger/ledger.service.ts";
import { formatCents, parseEuros } from "#src/features/ledger/money.service.ts";
import type { StaffOrderContent } from "#src/features/staff-orders/staff-order-actions.service.ts";
import {
  confirmOrder,
  listWaitingOrders,
  placeOrder,
  rejectOrder,
  StaffOrderRefused,
  type StaffOrdersDeps,
} from "#src/features/staff-orders/staff-orders.service.ts";
import { payerOf } from "#src/features/payments/staff-refunds.service.ts";
import { findConfirmedAccount } from "#src/features/users/users.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { z } from "zod";
import { CommandError, withDatabase, type Command } from "./command.ts";
import { findStaff, readReason } from "./staff-options.ts";

/** A slip of the keyboard should not make anybody a millionaire. */
const adjustmentCentsMax = 1_000_000;

const text = { type: "string" } as const;

export interface OrderOptions {
  readonly reason: string;
  readonly by: string;
  readonly requestKey: string;
}

/** Splits `<what...> --reason <text> --by <email> [--key <key>]`. @throws CommandError */
export function readOrder(
  args: readonly string[],
): OrderOptions & { readonly words: readonly string[] } {
  // A negative amount is no option.
  const safe = args.map((word) => (/^-\d/.test(word) ? ` ${word}` : word));
  const { values, positionals } = parse(safe);
  const requestKey = values.key ?? newId();
  if (!/^[\x21-\x7e]{1,200}$/.test(requestKey)) {
    throw new CommandError("--key: use 1 to 200 printable characters without spaces", 2);
  }
  if (values.by === undefined) throw new CommandError("--by: give your own staff e-mail", 2);
  const reason = readReason(values.reason);
  return { words: positionals.map((word) => word.trim()), reason, by: values.by, requestKey };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { reason: text, by: text, key: text },
      allowPositionals: true,
    });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : "Unknown option", 2);
  }
}

/** Places the order that `content` makes, and says what became of it. */
export async function place(
  { reason, by, requestKey }: OrderOptions,
  content: (db: Db) => Promise<StaffOrderContent>,
): Promise<void> {
  const { id, outcome } = await withDatabase(async (db, config, clock, audit) => {
    const deps: StaffOrdersDeps = { db, audit, fourEyesCents: config.fourEyesCents };
    const staff = await findStaff(db, by);
    const order = { content: await content(db), reason, by: staff.id, requestKey };
    return explained(() => placeOrder(deps, { ...order, now: clock.now() }));
  });
  const said = {
    done: `Done, as order ${id}`,
    waiting: `Order ${id} waits: another staff member confirms it with money confirm ${id} --by <email>`,
    repeated: `Order ${id} was placed under this key before; nothing was done again`,
  };
  console.log(said[outcome]);
}

const refusals: Partial<Record<string, string>> = {
  insufficient_funds: "The account has not so much cash",
  not_found: "There is nothing of this name",
  conflict: "This cannot be done: it was done before, or there is not so much left of it",
};

/** @throws CommandError in words for an operator */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StaffOrderRefused || error instanceof BusinessKeyTaken) {
      throw new CommandError(error.message);
    }
    const words = error instanceof DomainError ? refusals[error.code] : undefined;
    if (words === undefined) throw error;
    throw new CommandError(words);
  }
}

export const moneyAdjustCommand: Command = {
  name: "money adjust",
  usage: "<email> <euros> --reason <text> --by <staff e-mail> [--key <key>]",
  summary: "Adds cash to an account, or takes it with a minus: 20, -20.50",
  async run(args) {
    const options = readOrder(args);
    const [email, euros, ...rest] = options.words;
    if (email === undefined || euros === undefined || rest.length > 0) {
      throw new CommandError("Give one e-mail and one amount", 2);
    }
    const size = parseEuros(euros.replace(/^-/, ""));
    if (size === null || size === 0 || size > adjustmentCentsMax) {
      const range = `0.01 to ${formatCents(adjustmentCentsMax)}`;
      throw new CommandError(`${euros}: give ${range}, as 20 or -20.50`, 2);
    }
    const cents = euros.startsWith("-") ? -size : size;
    await place(options, async (db) => {
      const account = await findConfirmedAccount(db, email);
      if (account === undefined) throw new CommandError(`There is no confirmed account ${email}`);
      return { kind: "adjust", details: { userId: account.id, cents } };
    });
  },
};

export const moneyReverseCommand: Command = {
  name: "money reverse",
  usage: "<business key> --reason <text> --by <staff e-mail> [--key <key>]",
  summary: "Moves back what a txn moved, as a txn of its own; ledger export lists the keys",
  async run(args) {
    const options = readOrder(args);
    const [businessKey, ...rest] = options.words;
    if (businessKey === undefined || rest.length > 0) {
      throw new CommandError("Give one business key", 2);
    }
    await place(options, () => Promise.resolve({ kind: "reverse", details: { businessKey } }));
  },
};

export const moneyRefundCommand: Command = {
  name: "money refund",
  usage: "<top-up> [<euros>] --reason <text> --by <staff e-mail> [--key <key>]",
  summary: "Sends a top-up, or a part of it, back by its provider; bonus stays",
  async run(args) {
    const options = readOrder(args);
    const [intentId, euros, ...rest] = options.words;
    if (intentId === undefined || !z.uuid().safeParse(intentId).success || rest.length > 0) {
      throw new CommandError("Give the id of one top-up, and an amount or none", 2);
    }
    const part = euros === undefined ? undefined : parseEuros(euros);
    if (part === null || part === 0) throw new CommandError(`${euros}: give it as 20 or 20.50`, 2);
    await place(options, async (db) => {
      const payer = await payerOf(db, intentId);
      if (payer === undefined) throw new CommandError(`There is no top-up ${intentId}`);
      return { kind: "refund", details: { intentId, cents: part ?? payer.cents } };
    });
  },
};

export const moneyOrdersCommand: Command = {
  name: "money orders",
  usage: "",
  summary: "Lists what waits for a second staff member",
  async run() {
    const orders = await withDatabase((db) => listWaitingOrders(db));
    for (const order of orders) {
      const details = JSON.stringify(order.details);
      console.log(
        `${order.id}  ${order.ordered_at.toISOString()}  ${order.kind}  ${formatCents(order.cents)} EUR  ` +
          `${order.subject_email ?? "no account"}  by ${order.ordered_by_email}: ${order.reason}  ${details}`,
      );
    }
    console.log(`${orders.length} waiting`);
  },
};

export const moneyConfirmCommand: Command = {
  name: "money confirm",
  usage: "<order> --by <staff e-mail>",
  summary: "Carries out what another staff member ordered",
  async run(args) {
    const { values, positionals } = parse(args);
    const [id, ...rest] = positionals;
    if (id === undefined || rest.length > 0 || values.by === undefined) {
      throw new CommandError("Give one order, and --by with your own staff e-mail", 2);
    }
    const { by } = values;
    const done = await withDatabase(async (db, config, clock, audit) => {
      const staff = await findStaff(db, by);
      const deps = { db, audit, fourEyesCents: config.fourEyesCents };
      return explained(() => confirmOrder(deps, { id, by: staff.id, now: clock.now() }));
    });
    console.log(`Done: ${done.kind} of ${formatCents(done.cents)} EUR`);
  },
};

export const moneyRejectCommand: Command = {
  name: "money reject",
  usage: "<order> --reason <text> --by <staff e-mail>",
  summary: "Ends an order that waits; nothing is done",
  async run(args) {
    const { words, by, reason } = readOrder(args);
    const [id, ...rest] = words;
    if (id === undefined || rest.length > 0) throw new CommandError("Give one order", 2);
    await withDatabase(async (db, _, clock, audit) => {
      const staff = await findStaff(db, by);
      const decision = { id, by: staff.id, reason, now: clock.now() };
      return explained(() => rejectOrder({ db, audit }, decision));
    });
    console.log(`Order ${id} was rejected`);
  },
};
