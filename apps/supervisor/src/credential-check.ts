import { readFile } from "node:fs/promises";
import { z } from "zod";

const capMs = 5_000;
const stored = z.object({ credential: z.string() });

/**
 * Explains to the operator why the stored credential of the edge or of zone DNS does not work with
 * this control plane; undefined when it works, or when that cannot be found out now. Either program
 * keeps serving its last good copy, so without this message the start would look fine.
 */
export async function credentialProblem(
  apiUrl: string,
  kind: "edge" | "dns",
  file: string,
): Promise<string | undefined> {
  const credential = await readCredential(file);
  if (credential === undefined || !(await isRefused(apiUrl, credential))) return undefined;
  return (
    `${kind}: this database does not know the credential in ${file}. Either this is another or an ` +
    `older database, or the credential was revoked. The ${kind} serves its last good configuration ` +
    "and receives no changes. Start with the database it was enrolled in, or remove the file to " +
    "enrol again"
  );
}

async function readCredential(file: string): Promise<string | undefined> {
  try {
    return stored.parse(JSON.parse(await readFile(file, "utf8"))).credential;
  } catch {
    return undefined;
  }
}

/** Sends an empty report, which needs a valid credential and changes nothing. */
async function isRefused(apiUrl: string, credential: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL("/edge/v1/acks", apiUrl), {
      method: "POST",
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      body: JSON.stringify({ version: 0, acks: [] }),
      signal: AbortSignal.timeout(capMs),
    });
    return answer.status === 401;
  } catch {
    return false;
  }
}
