import { parseArgs } from "node:util";
import { pino } from "pino";
import { createShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import type { OperatorDeps } from "#src/features/renewals/operator-plans.service.ts";
import { createPgBus } from "#src/platform/database/pg-bus.ts";
import { deriveKey } from "#src/platform/security/derived-key.ts";
import { CommandError, withDatabase } from "./command.ts";

const reasonCharactersMax = 200;

/** The words of a command about one shield, with the reason that every such change needs. */
export function readShieldArgs(args: readonly string[], count: number) {
  const { values, positionals } = parse(args);
  if (positionals.length !== count) {
    throw new CommandError("Give the CNAME target, and what the usage names after it", 2);
  }
  const reason = values.reason?.trim() ?? "";
  if (reason === "" || reason.length > reasonCharactersMax) {
    throw new CommandError(`--reason: say in 1 to ${reasonCharactersMax} characters why`, 2);
  }
  const [label = "", ...rest] = positionals;
  return { label: label.toLowerCase().replace(/\.$/, ""), rest, reason };
}

/** Runs a change of a shield as the api would make it: edges have it about a second later. */
export function changeShield<T>(work: (deps: OperatorDeps, now: Date) => Promise<T>): Promise<T> {
  return withDatabase((db, config, clock, audit) => {
    const writes = createShieldWrites({
      // Sending notifications needs no connection of its own.
      bus: createPgBus({ url: config.databaseUrl, log: pino({ level: "silent" }) }),
      clock,
      failpoint: () => undefined,
      allowUnproven: config.development,
      cookieSecret: deriveKey(config.secret, "transfer-cookies"),
      discordInviteUrl: config.discordInviteUrl,
    });
    return work({ db, audit, writes }, clock.now());
  });
}

export function unknownShield(label: string): CommandError {
  return new CommandError(`There is no shield ${label}`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { reason: { type: "string" } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : "Unknown option", 2);
  }
}
