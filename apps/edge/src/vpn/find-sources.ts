import { readdir, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { SourceFile } from "./read-source.ts";

/** A file with lists, as it was found. */
export interface FoundSource extends SourceFile {
  /** Another one where the file is another; empty where it is not there. */
  readonly stamp: string;
}

/** What is taken of a folder; a file that is named by itself may be called anything. */
const endings = new Set([".txt", ".list", ".netset", ".ipset", ".cidr", ".asn", ".mmdb"]);
const nameCharactersMax = 64;

/**
 * Files at these places, each a file or a folder, in order.
 *
 * @throws where a place that is there cannot be looked at, so that nobody takes its lists for removed
 */
export async function findSources(places: readonly string[]): Promise<FoundSource[]> {
  const found = await Promise.all(places.map(lookAt));
  return found.flat();
}

async function lookAt(place: string): Promise<FoundSource[]> {
  const facts = await factsOf(place);
  if (facts?.isDirectory() !== true) {
    // A folder that is not there has no files yet; a file that is not there is missed.
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

/** As owners see it in their log. */
export function nameOf(path: string): string {
  return basename(path, extname(path))
    .replace(/[^\w.-]/g, "_")
    .slice(0, nameCharactersMax);
}
