import { parseArgs } from "node:util";
import { formatCents, parseEuros, readCents } from "#src/features/ledger/money.service.ts";
import {
  changePrice,
  listCatalogue,
  offerPlan,
  type CatalogueOutcome,
} from "#src/features/plans/operator-catalogue.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

/** A slip of the keyboard should not sell a plan for a fortune. */
const priceCentsMax = 1_000_000;

export const planListCommand: Command = {
  name: "plan list",
  usage: "",
  summary: "Lists plans and support plans with their prices, and how many are on them",
  async run(args) {
    if (args.length > 0) throw new CommandError("This command takes nothing", 2);
    const rows = await withDatabase((db) => listCatalogue(db));
    for (const row of rows) {
      const isSupport = row.kind === "support_plans";
      const holders = `${row.holders} ${isSupport ? "accounts" : "shields"}`;
      const kept = Number(row.other_terms) > 0 ? `, ${row.other_terms} at another price` : "";
      console.log(
        `${isSupport ? "support plan" : "plan"} ${row.slug}  ${row.name}  ` +
          `${formatCents(readCents(row.price_cents))} EUR  ${row.is_retired ? "retired" : "on offer"}  ${holders}${kept}`,
      );
    }
  },
};

export const planPriceCommand: Command = {
  name: "plan price",
  usage: "<plan> <euros> [--support]",
  summary: "Changes the price a month, without VAT, for new purchases; present ones keep theirs",
  async run(args) {
    const { words, isSupport } = read(args);
    const [slug, euros, ...rest] = words;
    if (slug === undefined || euros === undefined || rest.length > 0) {
      throw new CommandError("Give a plan and its price", 2);
    }
    const cents = parseEuros(euros);
    if (cents === null || cents === 0 || cents > priceCentsMax) {
      const range = `0.01 to ${formatCents(priceCentsMax)}`;
      throw new CommandError(`${euros}: give ${range}, as 9 or 9.50`, 2);
    }
    const kind = isSupport ? "support_plans" : "pricing_plans";
    const outcome = await withDatabase((db, _, clock, audit) =>
      changePrice({ db, audit }, { kind, slug, cents, now: clock.now() }),
    );
    requireChangeable(outcome, slug, isSupport);
    console.log(
      `${slug} costs ${formatCents(cents)} EUR a month${outcome === "already" ? " already" : ""}`,
    );
  },
};

export const planRetireCommand: Command = {
  name: "plan retire",
  usage: "<plan>",
  summary: "Takes a plan off sale; shields that are on it keep it and are renewed",
  run: (args) => offer(args, false),
};

export const planOfferCommand: Command = {
  name: "plan offer",
  usage: "<plan>",
  summary: "Puts a retired plan on sale again",
  run: (args) => offer(args, true),
};

async function offer(args: readonly string[], isOffered: boolean): Promise<void> {
  const [slug, ...rest] = args;
  if (slug === undefined || slug.startsWith("-") || rest.length > 0) {
    throw new CommandError("Give one plan", 2);
  }
  const outcome = await withDatabase((db, _, clock, audit) =>
    offerPlan({ db, audit }, { slug, isOffered, now: clock.now() }),
  );
  requireChangeable(outcome, slug, false);
  const already = outcome === "already" ? " already" : "";
  console.log(`${slug} is ${isOffered ? "on offer" : "retired"}${already}`);
}

/** @throws CommandError if there is no such plan, or it is the free one */
function requireChangeable(outcome: CatalogueOutcome, slug: string, isSupport: boolean): void {
  if (outcome === "unknown") {
    throw new CommandError(`There is no ${isSupport ? "support plan" : "plan"} ${slug}`);
  }
  if (outcome === "free") {
    throw new CommandError(`${slug} is free and stays so: accounts without a paid plan are on it`);
  }
}

function read(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { support: { type: "boolean" } },
      allowPositionals: true,
    });
    return { words: positionals, isSupport: values.support === true };
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : "Unknown option", 2);
  }
}
