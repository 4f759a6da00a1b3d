import { afterAll, beforeAll, expect, test } from "vitest";
import { removeHome, startPalisade, type Palisade } from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { addSingleUseCode } from "./ledger-checks.ts";
import { clientOf } from "../product/account.ts";
import { checkAccounts } from "./answer-checks.ts";
import { startSecondApi } from "./second-api.ts";
import { balanceOf, openMoneyRun, passAnHour, type MoneyRun } from "./buyers.ts";
import { topUp } from "./top-up.ts";

let home: string;
let palisade: Palisade;
let run: MoneyRun;
beforeAll(async () => {
  home = await createPreparedHome();
  palisade = await startPalisade(home);
  run = await openMoneyRun(home, palisade);
});
afterAll(async () => {
  await run?.second.stop();
  await run?.database.end();
  await palisade?.stop();
  await removeHome(home);
});

/** The other process may take a job. Within so many top-ups this one reaches the step too. */
const topUpsMax = 20;

test.each([
  "intent-stored",
  "checkout-created",
  "reference-stored",
  "event-stored",
  "credit-posted",
] as const)(
  "an api killed at %s leaves each top-up credited once, with its bonus",
  async (step) => {
    await passAnHour(palisade.consoleUrl);
    await run.second.stop();
    run.second = await startSecondApi(home, step);
    const first = {
      url: palisade.consoleUrl,
      call: clientOf(palisade.consoleUrl, run.buyers[0].token),
    };
    const second = { url: run.second.url, call: clientOf(run.second.url, run.buyers[0].token) };
    const before = await balanceOf(first);
    let count = 0;
    while (!run.second.hasEnded() && count < topUpsMax) {
      count += 1;
      const promoCode = `${step}-${count}`.toUpperCase();
      await addSingleUseCode(run.database, promoCode, 33);
      const key = `${step}-${count}`;
      await topUp({ key, euros: 1, promoCode, ending: "return" }, [second, first]);
    }
    expect(run.second.hasEnded(), `${step} was never reached`).toBe(true);
    expect((await balanceOf(first)) - before).toBe(count * 133);
    expect(await checkAccounts(run)).toEqual([]);
  },
);
