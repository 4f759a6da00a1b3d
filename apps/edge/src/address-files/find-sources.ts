import { readdir, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { SourceFile } from "./read-source.ts";

/** A file with lists, as it was found. */
export interface FoundSource extends SourceFile {
  /** Another one where the file is another; empty if it is not there. */
  readonly stamp: string;
}

/** Endings that count inside a folder; a file that is configured by itself may have any name. */
const endings = new Set([".txt", ".list", ".netset", ".ipset", ".cidr", ".asn", ".mmdb"]);
const nameCharactersMax = 64;

/**
 * Files at these paths, each a file or a folder, in order.
 *
 * @throws if an existing path cannot be read, so that its lists are not taken for removed
 */
export async function findSources(places: readonly string[]): Promise<FoundSource[]> {
  const found = await Promise.all(places.map(lookAt));
  return found.flat();
}

async function lookAt(place: string): Promise<FoundSource[]> {
  const facts = await factsOf(place);
  if (facts?.isDirectory() !== true) {
    // A missing folder has no files yet; a missing file is an error.
    return facts === undefined && !isList(place) ? [] : [sourceOf(place, facts)];
  }
  const names = await readdir(place);
  const paths = names
    .filter(isList)
    .toSorted()
    .map((name) => join(place, name));
  const sources = await Promise.all(paths.map(async (path) => sourceIn(path)));
  return sources.flat();
}

async function sourceIn(path: string): Promise<FoundSource[]> {
  const facts = await factsOf(path);
  return facts?.isFile() === true ? [sourceOf(path, facts)] : [];
}

type Facts = NonNullable<Awaited<ReturnType<typeof factsOf>>>;

async function factsOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function isList(name: string): boolean {
  return !basename(name).startsWith(".") && endings.has(extname(name).toLowerCase());
}

function sourceOf(path: string, facts: Facts | undefined): FoundSource {
  const stamp = facts === undefined ? "" : `${facts.ino} ${facts.size} ${facts.mtimeMs}`;
  return { path, name: nameOf(path), stamp };
}

/** The name as owners see it in their log. */
export function nameOf(path: string): string {
  return basename(path, extname(path))
    .replace(/[^\w.-]/g, "_")
    .slice(0, nameCharactersMax);
}
