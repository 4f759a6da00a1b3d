import { access } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { ApiCommand } from "./api-command.ts";
import { StartError } from "./progress.ts";

const inviteSchema = z.object({ edge_id: z.string(), enrolment_token: z.string() });

export function credentialFile(home: string, kind: "edge" | "dns"): string {
  return path.join(home, kind, "credential.json");
}

/**
 * A one-time token for our edge or zone DNS, as long as the home holds no credential of it.
 *
 * @returns undefined when it is enrolled already
 */
export async function enrolmentToken(
  home: string,
  kind: "edge" | "dns",
  apiCommand: ApiCommand,
): Promise<string | undefined> {
  if (await isThere(credentialFile(home, kind))) return undefined;
  const output = await apiCommand([
    "edge",
    "invite",
    "--name",
    kind === "edge" ? "local" : "local-dns",
    "--location",
    "local",
    "--kind",
    kind,
  ]);
  for (const line of output.trim().split("\n").toReversed()) {
    const invite = inviteSchema.safeParse(parseJson(line));
    if (invite.success) return invite.data.enrolment_token;
  }
  throw new StartError(`'edge invite' printed no enrolment token for the ${kind}.`);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
