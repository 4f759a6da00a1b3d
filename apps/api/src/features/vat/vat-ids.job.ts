import { normalizeVatId } from "@palisade/contract/http/country-rules";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Seller } from "./seller.ts";
import { vatIdPrefix, vatCountry, vatRates } from "./vat-rates.ts";
import { nextAfterAnswer, nextAfterSilence } from "./vat.policy.ts";
import {
  postponeVatId,
  saveVatIdAnswer,
  selectDueVatIds,
  type DueVatId,
} from "./vat.repository.ts";
import type { AskVies, VatIdQuestion } from "./vies-client.ts";

/** At most 10 s each, so that a run ends before its next but one. */
const perRunMax = 12;

export interface VatIdsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly seller: Seller;
  readonly ask: AskVies;
}

/** Asks VIES about VAT ids of businesses in other EU countries. No answer is no failure: it is asked again. */
export function vatIdsJob(deps: VatIdsDeps): JobDefinition<object> {
  return {
    name: "vat.ids",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "* * * * *",
    run: () => askDueVatIds(deps),
  };
}

export async function askDueVatIds({ db, clock, seller, ask }: VatIdsDeps): Promise<void> {
  const { country: home, vatId } = seller;
  if (!seller.chargesVat || home === null || vatId === null) return;
  const countries = ["MC", ...vatRates.keys()].filter(
    (country) => vatCountry(country) !== vatCountry(home),
  );
  const requester = questionOf(home, vatId);
  for (const due of await selectDueVatIds(db, countries, clock.now(), perRunMax)) {
    await postponeVatId(db, due, nextAfterSilence(due.tries, clock.now()));
    const answer = await ask({ ...questionOf(due.country, due.vat_id), requester });
    if (answer !== null) await save(db, due, answer, clock.now());
  }
}

async function save(
  db: Db,
  due: DueVatId,
  answer: NonNullable<Awaited<ReturnType<AskVies>>>,
  at: Date,
): Promise<void> {
  await saveVatIdAnswer(db, due, { ...answer, at, nextAt: nextAfterAnswer(answer.isValid, at) });
}

/** The prefix may stand before the number in a profile, or not. */
function questionOf(country: string, vatId: string): Omit<VatIdQuestion, "requester"> {
  const prefix = vatIdPrefix(country);
  const number = normalizeVatId(vatId);
  return { prefix, number: number.startsWith(prefix) ? number.slice(prefix.length) : number };
}
