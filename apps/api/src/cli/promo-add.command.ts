import { parseArgs } from "node:util";
import { readCode } from "#src/features/promo-codes/promo-codes.policy.ts";
import { addPromoCode, type NewPromoCode } from "#src/features/promo-codes/promo-codes.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const promoAddCommand: Command = {
  name: "promo add",
  usage: "<CODE> --percent <1-100> [--until <date>] [--per-user <n>] [--total <n>]",
  summary: "Adds a promo code for top-ups; without limits anybody may use it for ever",
  async run(args) {
    const code = readPromoCode(args);
    const isNew = await withDatabase((db, _, clock, audit) => {
      const now = clock.now();
      if (code.endsAt !== null && code.endsAt <= now) throw notToCome();
      return addPromoCode({ db, audit }, code, now);
    });
    if (!isNew) throw new CommandError(`There is a promo code ${code.code} already`);
    console.log(`${code.code} adds ${code.percentage} % ${describeLimits(code)}`);
  },
};

function readPromoCode(args: readonly string[]): NewPromoCode {
  const { values, positionals } = parse(args);
  const [typed, ...rest] = positionals;
  if (typed === undefined || rest.length > 0) throw new CommandError("Give one code", 2);
  const code = readCode(typed);
  if (code === null) {
    throw new CommandError(`${typed}: use 3 to 32 letters, digits, hyphens and underscores`, 2);
  }
  if (values.percent === undefined) throw new CommandError("--percent: say how much it adds", 2);
  return {
    code,
    percentage: readWhole("--percent", values.percent, 100),
    endsAt: values.until === undefined ? null : readDate(values.until),
    perUserMax: readLimit("--per-user", values["per-user"]),
    totalMax: readLimit("--total", values.total),
  };
}

function readLimit(option: string, typed: string | undefined): number | null {
  return typed === undefined ? null : readWhole(option, typed, 1_000_000);
}

function readWhole(option: string, typed: string, max: number): number {
  const value = /^[1-9][0-9]{0,6}$/.test(typed) ? Number(typed) : Number.NaN;
  if (!(value <= max)) throw new CommandError(`${option}: give a whole number from 1 to ${max}`, 2);
  return value;
}

/** `2027-01-31` is valid to the end of that day, in UTC; `2027-01-31T12:00Z` to that moment. */
function readDate(typed: string): Date {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(typed);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?Z$/.test(typed);
  const date = new Date(isDay ? `${typed}T23:59:59.999Z` : typed);
  // Dates such as 31 February would silently become another day.
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(typed.slice(0, 10));
  if (!(isDay || isMoment) || !isReal) throw notToCome();
  return date;
}

const notToCome = (): CommandError =>
  new CommandError("--until: give a day to come, as 2027-01-31 or 2027-01-31T12:00Z", 2);

function describeLimits({ endsAt, perUserMax, totalMax }: NewPromoCode): string {
  const parts = [
    endsAt === null ? "without end" : `until ${endsAt.toISOString()}`,
    ...(perUserMax === null ? [] : [`${perUserMax} per user`]),
    ...(totalMax === null ? [] : [`${totalMax} in all`]),
  ];
  return parts.join(", ");
}

function parse(args: readonly string[]) {
  const option = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: { percent: option, until: option, "per-user": option, total: option },
      allowPositionals: true,
    });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : "Unknown option", 2);
  }
}
