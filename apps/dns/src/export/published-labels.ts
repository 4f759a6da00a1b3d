import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { replaceFileDurably, temporarySuffix } from "@palisade/control-client/atomic-file";
import { isOwnedLabel } from "#src/export/owned-label.ts";

export interface PublishedLabels {
  /** Labels of which the server may have records. */
  readonly labels: ReadonlySet<string>;
  /** Adds labels. They are on disk when it resolves: call it before they are published. */
  add(labels: Iterable<string>): Promise<void>;
  /** Removes labels. Call it after the server has removed them; after a crash they are removed again. */
  remove(labels: Iterable<string>): Promise<void>;
}

/**
 * The labels published in a zone of a server, kept on disk, so that labels of shields that were removed
 * while this program was down are found. There is one file per server and zone, so that an operator
 * who goes back to an earlier server finds its labels again.
 *
 * A file that cannot be read counts as empty, and lines that are not labels are ignored.
 */
export async function openPublishedLabels(
  folder: string,
  server: string,
  zone: string,
): Promise<PublishedLabels> {
  const identity = createHash("sha256").update(`${server} ${zone}`).digest("hex").slice(0, 16);
  const path = join(folder, `published-${identity}`);
  // A folder that cannot be used is reported by the first write.
  await prepare(folder).catch(() => undefined);
  const text = await readFile(path, "utf8").catch(() => "");
  const labels = new Set(text.split("\n").filter(isOwnedLabel));
  /** Whether a write has failed, so that the file is out of date. */
  let isBehind = false;

  async function write(): Promise<void> {
    isBehind = true;
    // The first line is a comment for people.
    await replaceFileDurably(path, `${[`# ${zone} at ${server}`, ...labels].join("\n")}\n`, 0o640);
    isBehind = false;
  }

  return {
    labels,
    async add(added) {
      const before = labels.size;
      for (const label of added) labels.add(label);
      if (isBehind || labels.size > before) await write();
    },
    async remove(removed) {
      const before = labels.size;
      for (const label of removed) labels.delete(label);
      if (isBehind || labels.size < before) await write();
    },
  };
}

async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o750 });
  // A temporary file belongs to a write that a crash interrupted.
  for (const name of await readdir(folder)) {
    if (name.endsWith(temporarySuffix)) await unlink(join(folder, name));
  }
}
