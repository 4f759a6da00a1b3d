import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { replaceFileDurably, temporarySuffix } from "@palisade/control-client/atomic-file";
import { isOwnedLabel } from "#src/export/owned-label.ts";

export interface PublishedLabels {
  /** Labels that the server may have records of. */
  readonly labels: ReadonlySet<string>;
  /** Adds labels. On disk when it resolves: call it before they are published. */
  note(labels: Iterable<string>): Promise<void>;
  /** Forgets labels. Call it after they have been removed; a crash before only removes them again. */
  forget(labels: Iterable<string>): Promise<void>;
}

/**
 * The labels published in a zone of a server, kept on disk: what a shield left behind that went
 * while nobody was looking is found here. A file per server and zone, so that whoever goes back to
 * an earlier one finds its labels again.
 *
 * A file that cannot be read counts as empty, and lines that are no labels are passed over.
 */
export async function openPublishedLabels(
  folder: string,
  server: string,
  zone: string,
): Promise<PublishedLabels> {
  const identity = createHash("sha256").update(`${server} ${zone}`).digest("hex").slice(0, 16);
  const path = join(folder, `published-${identity}`);
  // A folder that is no good is told by the first write.
  await prepare(folder).catch(() => undefined);
  const text = await readFile(path, "utf8").catch(() => "");
  const labels = new Set(text.split("\n").filter(isOwnedLabel));
  /** Whether the disk lacks something, as after a failed write. */
  let isBehind = false;

  async function write(): Promise<void> {
    isBehind = true;
    // The first line is for people; it is no label.
    await replaceFileDurably(path, `${[`# ${zone} at ${server}`, ...labels].join("\n")}\n`, 0o640);
    isBehind = false;
  }

  return {
    labels,
    async note(added) {
      const before = labels.size;
      for (const label of added) labels.add(label);
      if (isBehind || labels.size > before) await write();
    },
    async forget(removed) {
      const before = labels.size;
      for (const label of removed) labels.delete(label);
      if (isBehind || labels.size < before) await write();
    },
  };
}

async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o750 });
  // A temporary file belongs to a write that a crash cut short.
  for (const name of await readdir(folder)) {
    if (name.endsWith(temporarySuffix)) await unlink(join(folder, name));
  }
}
