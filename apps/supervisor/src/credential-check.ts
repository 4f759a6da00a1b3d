import { readFile } from "node:fs/promises";
import { z } from "zod";

const capMs = 5_000;
const stored = z.object({ credential: z.string() });

/**
 * Why a node's stored credential is of no use with this control plane, in words for the operator;
 * undefined where it is, or where that cannot be told now. The node itself serves on from its last
 * good copy either way, so nothing but this would show it at the start.
 */
export async function credentialComplaint(
  apiUrl: string,
  kind: "edge" | "dns",
  file: string,
): Promise<string | undefined> {
  const credential = await readCredential(file);
  if (credential === undefined || !(await isRefused(apiUrl, credential))) return undefined;
  return (
    `${kind}: this database does not know the credential in ${file}. Either the database is ` +
    `another or an older one, or the node was revoked. The ${kind} serves what it last had and ` +
    "takes no changes. Start with the database it was enrolled in, or remove the file to enrol anew"
  );
}

async function readCredential(file: string): Promise<string | undefined> {
  try {
    return stored.parse(JSON.parse(await readFile(file, "utf8"))).credential;
  } catch {
    return undefined;
  }
}

/** Asked with a report that says nothing. */
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
