import { readCode } from "#src/features/promo-codes/promo-codes.policy.ts";
import { listPromoCodes, stopPromoCode } from "#src/features/promo-codes/promo-codes.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const promoEndCommand: Command = {
  name: "promo end",
  usage: "<CODE>",
  summary: "Ends a promo code now; checkouts that were started with it keep their bonus",
  async run([typed, ...rest]) {
    const code = typed === undefined || rest.length > 0 ? null : readCode(typed);
    if (code === null) throw new CommandError("Give one code", 2);
    const isEnded = await withDatabase((db, _, clock, audit) =>
      stopPromoCode({ db, audit }, code, clock.now()),
    );
    if (!isEnded) throw new CommandError(`There is no promo code ${code}, or it has ended`);
    console.log(`${code} has ended`);
  },
};

export const promoListCommand: Command = {
  name: "promo list",
  usage: "",
  summary: "Lists promo codes with their limits and how often each was used",
  async run() {
    const codes = await withDatabase((db) => listPromoCodes(db));
    for (const code of codes) {
      const end = code.ends_at === null ? "without end" : `until ${code.ends_at.toISOString()}`;
      const total = code.total_max === null ? "" : ` of ${code.total_max}`;
      const each = code.per_user_max === null ? "" : `, ${code.per_user_max} per user`;
      console.log(`${code.code}  ${code.percentage} %  ${end}  used ${code.claims}${total}${each}`);
    }
    console.log(`${codes.length} codes`);
  },
};
