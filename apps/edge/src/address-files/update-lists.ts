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
  /** Name in the folder; its ending tells the format. */
  readonly file: string;
  readonly url: string;
}

export interface UpdateOptions {
  readonly folder: string;
  readonly sources: readonly ListSource[];
  /** Accepts lists also if they have become much smaller. */
  readonly force: boolean;
  /** Prints a line for the user of the command. */
  readonly say: (line: string) => void;
}

/** Edges do not read it as a list. It names no URL, because a URL may contain a key. */
const stateFile = ".downloads.json";
/** Readable for edges that run as other users. */
const fileMode = 0o644;
/** Lists with fewer entries may shrink by any amount. */
const entriesToShrinkMin = 100;

/** By file: its source and its content, both hashed. */
type State = Record<string, { readonly url: string; readonly content: string } & Validators>;

/**
 * Downloads every source, checks that it is a list, and puts it into the folder, where edges find
 * it. A failed download leaves the file as it is.
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
  // A file that was damaged or changed here is downloaded again even if the server's has not
  // changed.
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

/** Without the state everything is downloaded once more, and nothing worse happens. */
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
