import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { statusDocument, type StatusDocument } from "@palisade/contract/http/status-page";

/** A few hundred incidents with their updates; more is not one of our files. */
const bytesMax = 8 * 1024 * 1024;

function fileIn(home: string): string {
  return path.join(home, "status", "status.json");
}

/**
 * Keeps the last status for a start without the database. The file is replaced as a whole: processes
 * that share a home may write it at once.
 *
 * @throws where the home cannot be written to
 */
export async function storeStatus(home: string, document: StatusDocument): Promise<void> {
  const file = fileIn(home);
  // The home itself is not made: without one there is nothing to come back to.
  await mkdir(path.dirname(file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const own = `${file}.${process.pid}`;
  await writeFile(own, JSON.stringify(document), { mode: 0o644 });
  await rename(own, file);
}

/** Undefined where there is none, or it cannot be read by this version. */
export async function loadStatus(home: string): Promise<StatusDocument | undefined> {
  try {
    const text = await readFile(fileIn(home), "utf8");
    if (text.length > bytesMax) return undefined;
    return statusDocument.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
