import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile, syncFolder } from "@palisade/control-client/atomic-file";
import { download, type Validators } from "./download.ts";
import { nameOf } from "./find-sources.ts";
import { vpnLimits } from "./limits.ts";
import { isMmdb, readBytes, readSource } from "./read-source.ts";
import { unpack } from "./unpack.ts";

export interface ListSource {
  /** In the folder; by its ending the format is known. */
  readonly file: string;
  readonly url: string;
}

export interface UpdateOptions {
  readonly folder: string;
  readonly sources: readonly ListSource[];
  /** Takes lists also where they have become much smaller. */
  readonly force: boolean;
  /** A line for whoever has asked. */
  readonly say: (line: string) => void;
}

/** Edges do not take it for a list. It names no URL, for there may be a key in one. */
const stateFile = ".downloads.json";
/** Edges of other users read them, too. */
const fileMode = 0o644;
/** Of lists smaller than this any part may go. */
const entriesToShrinkMin = 100;

/** Of each file: where it came from and what it then was, both hashed. */
type State = Record<string, { readonly url: string; readonly content: string } & Validators>;

/**
 * Downloads every source, looks whether it is a list, and puts it into the folder, where edges find
 * it. What fails leaves the file as it is.
 *
 * @returns whether all went well
 */
export async function updateLists(options: UpdateOptions): Promise<boolean> {
  const { folder, sources, say } = options;
  await mkdir(folder, { recursive: true });
  const statePath = join(folder, stateFile);
  const state = await readState(statePath);
  let isWell = true;
  for (const source of sources) {
    try {
      say(`${source.file}: ${await updateList(source, state, options)}`);
    } catch (error) {
      isWell = false;
      say(`${source.file}: not updated, ${error instanceof Error ? error.message : "unknown"}`);
    }
  }
  await replaceFile(statePath, JSON.stringify(state), { mode: fileMode });
  await syncFolder(folder);
  return isWell;
}

async function updateList(
  { file, url }: ListSource,
  state: State,
  { folder, force }: UpdateOptions,
): Promise<string> {
  const path = join(folder, file);
  const name = nameOf(file);
  const { image: before } = await readSource({ path, name });
  const known = state[file];
  // What was damaged or altered here is not what the server would call unchanged.
  const isKnown = known?.url === hashOf(url) && known.content === (await hashOfFile(path));
  const found = await download(url, isKnown ? known : {});
  if (found.kind === "unchanged") return "unchanged";
  const bytesMax = isMmdb(file) ? vpnLimits.mmdbBytesMax : vpnLimits.listBytesMax;
  const bytes = unpack(found.bytes, bytesMax);
  if (bytes.length > bytesMax) throw new Error(`it is larger than ${bytesMax} bytes`);
  const { image, problem } = readBytes(file, name, bytes);
  if (problem !== undefined || image === undefined) throw new Error(problem ?? "it is no list");
  const { entries } = image;
  if (entries === 0) throw new Error("it has no entries");
  const entriesBefore = before?.entries ?? 0;
  if (!force && entriesBefore >= entriesToShrinkMin && entries < entriesBefore / 2) {
    throw new Error(
      `it has ${entries} entries where there were ${entriesBefore}; --force takes it`,
    );
  }
  await replaceFile(path, bytes, { mode: fileMode });
  state[file] = { url: hashOf(url), content: hashOf(bytes), ...found.validators };
  return `${entries} entries (before: ${entriesBefore})`;
}

function hashOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

async function hashOfFile(path: string): Promise<string | undefined> {
  const content = await readFile(path).catch(() => undefined);
  return content && hashOf(content);
}

/** Without it everything is downloaded once more, and nothing worse. */
async function readState(path: string): Promise<State> {
  try {
    const parsed: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof parsed !== "object" || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).flatMap(entryOf));
  } catch {
    return {};
  }
}

function entryOf([file, entry]: [string, unknown]): [string, State[string]][] {
  if (typeof entry !== "object" || entry === null) return [];
  const { url, content, etag, lastModified }: Readonly<Record<string, unknown>> = { ...entry };
  if (typeof url !== "string" || typeof content !== "string") return [];
  return [[file, { url, content, etag: textOf(etag), lastModified: textOf(lastModified) }]];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
