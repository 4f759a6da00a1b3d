import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { replaceFileDurably } from "./atomic-file.ts";

const credentialFile = z.object({
  edge_id: z.uuid(),
  kind: z.enum(["edge", "dns"]),
  location: z.string(),
  credential: z.string().min(1),
  /** Absent from files of an earlier release: then it is renewed at once. */
  expires_at: z.iso.datetime({ offset: true }).optional(),
  renew_at: z.iso.datetime({ offset: true }).optional(),
});

/** Authenticates an edge or zone DNS to the control plane. */
export type Credential = z.infer<typeof credentialFile>;

/** The stored credential; null when the file is missing or not valid. */
export async function readCredential(path: string): Promise<Credential | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  try {
    return credentialFile.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Stores the credential so that only its owner can read it. */
export async function writeCredential(path: string, credential: Credential): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await replaceFileDurably(path, `${JSON.stringify(credential, null, 2)}\n`, 0o600);
}
