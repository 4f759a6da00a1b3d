import { commandEntry } from "#src/features/audit/audit.service.ts";
import {
  freezePurchases,
  liftFreeze,
  purchaseFreeze,
} from "#src/features/ledger/purchase-freeze.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";
import { readOrder, type OrderOptions } from "./money.command.ts";
import { findStaff } from "./staff-options.ts";

export const purchasesStatusCommand: Command = {
  name: "purchases status",
  usage: "",
  summary: "Says whether purchases are frozen, since when and why",
  async run() {
    const freeze = await withDatabase((db) => purchaseFreeze(db));
    console.log(
      freeze === null
        ? "Purchases are open"
        : `Purchases are frozen since ${freeze.since.toISOString()}:\n${freeze.reason}`,
    );
  },
};

export const purchasesFreezeCommand: Command = {
  name: "purchases freeze",
  usage: "--reason <text> --by <staff e-mail>",
  summary: "Stops purchases and upgrades; protection, renewals and top-ups go on",
  async run(args) {
    const isDone = await change(args, "purchases freeze", (trx, { reason, staffId, now }) =>
      freezePurchases(trx, { reason, by: staffId, now }),
    );
    console.log(isDone ? "Purchases are frozen" : "Purchases were frozen already");
  },
};

export const purchasesUnfreezeCommand: Command = {
  name: "purchases unfreeze",
  usage: "--reason <text> --by <staff e-mail>",
  summary: "Lets purchases go on; run ledger verify first",
  async run(args) {
    const isDone = await change(args, "purchases unfreeze", (trx, { reason, staffId, now }) =>
      liftFreeze(trx, { reason, by: staffId, at: now }),
    );
    console.log(isDone ? "Purchases are open" : "Purchases were open already");
  },
};

type Change = (
  trx: Trx,
  order: { readonly reason: string; readonly staffId: string; readonly now: Date },
) => Promise<boolean>;

async function change(args: readonly string[], name: string, work: Change): Promise<boolean> {
  const { words, reason, by }: OrderOptions & { readonly words: readonly string[] } =
    readOrder(args);
  if (words.length > 0) throw new CommandError("Give --reason and --by only", 2);
  return withDatabase(async (db, _, clock, audit) => {
    const staff = await findStaff(db, by);
    const now = clock.now();
    return db.transaction().execute(async (trx) => {
      const isDone = await work(trx, { reason, staffId: staff.id, now });
      const entry = commandEntry(name, { chain: "system", status: 200, at: now });
      if (isDone) await audit.append(trx, { ...entry, actorKind: "user", actorId: staff.id });
      return isDone;
    });
  });
}
