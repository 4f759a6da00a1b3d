import { parseArgs } from "node:util";
import { createEdgeBody } from "@palisade/contract/http/staff-edges";
import { renderText } from "@palisade/contract/texts/render";
import { pino } from "pino";
import { commandEntry } from "#src/features/audit/audit.service.ts";
import { reinviteEdge } from "#src/features/edges/edges.service.ts";
import { createPgBus } from "#src/platform/database/pg-bus.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const edgeInviteCommand: Command = {
  name: "edge invite",
  usage: "--name <name> --location <location> [--kind edge|dns]",
  summary: "Prints a one-time enrolment token as JSON; an edge of that name is revoked",
  async run(args) {
    const invitation = readInvitation(args);
    const { edge, token } = await withDatabase(async (db, config, clock, audit) => {
      // Sending notifications needs no connection of its own.
      const bus = createPgBus({ url: config.databaseUrl, log: pino({ level: "silent" }) });
      const now = clock.now();
      return db.transaction().execute(async (trx) => {
        const invited = await reinviteEdge({ bus }, trx, invitation, now);
        const row = { chain: `edge:${invited.edge.id}`, status: 201, at: now };
        await audit.append(trx, commandEntry("edge invite", row));
        return invited;
      });
    }).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      throw new CommandError(renderText("en", `error.${error.code}`));
    });
    console.log(JSON.stringify({ edge_id: edge.id, enrolment_token: token }));
  },
};

function readInvitation(args: readonly string[]) {
  const options = { type: "string" } as const;
  let values: unknown;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: { name: options, location: options, kind: options },
    }));
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : "Unknown option", 2);
  }
  const invitation = createEdgeBody.safeParse(values);
  if (invitation.success) return invitation.data;
  const [issue] = invitation.error.issues;
  const text = renderText("en", issue?.message ?? "invalid");
  throw new CommandError(`--${issue?.path.join(".") ?? ""}: ${text}`, 2);
}
