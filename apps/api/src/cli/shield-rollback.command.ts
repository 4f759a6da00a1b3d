import { pino } from "pino";
import { listRevisions, rollBack } from "#src/features/configuration/rollback.service.ts";
import { deriveKey } from "#src/platform/security/derived-key.ts";
import { createPgBus } from "#src/platform/database/pg-bus.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const shieldRollbackCommand: Command = {
  name: "shield rollback",
  usage: "<label> [<revision>]",
  summary: "Publishes what an earlier revision of a shield said; without one, lists those kept",
  async run([label, revision, ...rest]) {
    if (label === undefined || rest.length > 0) {
      throw new CommandError("Give a shield's CNAME target, and a revision or none", 2);
    }
    if (revision === undefined) await list(label);
    else await publish(label, readRevision(revision));
  },
};

async function list(label: string): Promise<void> {
  const revisions = await withDatabase((db, { zone }) => listRevisions({ db, zone }, label));
  if (revisions === undefined) throw unknownShield(label);
  for (const { revision, committedAt, hasContent } of revisions) {
    const what = hasContent ? "" : "  took the shield off its edges";
    console.log(`${String(revision).padStart(6)}  ${committedAt.toISOString()}${what}`);
  }
}

async function publish(label: string, revision: number): Promise<void> {
  const outcome = await withDatabase((db, config, clock, audit) => {
    // Sending notifications needs no connection of its own.
    const bus = createPgBus({ url: config.databaseUrl, log: pino({ level: "silent" }) });
    const { zone, development, discordInviteUrl } = config;
    const cookieSecret = deriveKey(config.secret, "transfer-cookies");
    const deps = {
      db,
      audit,
      bus,
      zone,
      allowUnproven: development,
      cookieSecret,
      discordInviteUrl,
    };
    return rollBack(deps, { label, revision, now: clock.now() });
  });
  if (outcome.kind === "unknown shield") throw unknownShield(label);
  if (outcome.kind === "deleted") throw new CommandError(`${label} is deleted: edges have none`);
  if (outcome.kind === "unknown revision") {
    throw new CommandError(`Of ${label} no revision ${revision} with content is kept`);
  }
  console.log(
    `${label} serves the content of revision ${revision} again, as revision ${outcome.revision} ` +
      `(version ${outcome.version}).`,
  );
  for (const left of outcome.leftOut) console.log(`Left out, as it is not the shield's: ${left}`);
  console.log("Its settings were not changed: the next change in the console replaces this.");
}

function readRevision(text: string): number {
  const revision = Number(text);
  if (!/^\d+$/.test(text) || revision < 1 || revision > 2_147_483_647) {
    throw new CommandError(`${text}: give the number of a revision`, 2);
  }
  return revision;
}

function unknownShield(label: string): CommandError {
  return new CommandError(`There is no shield ${label}`);
}
