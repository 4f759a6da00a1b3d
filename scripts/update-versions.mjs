// npm run versions:update: rewrites the tables of Minecraft releases, of packet ids and of entity types
// from the newest minecraft-data on npm. The package does not become a dependency: its files are read
// in a temporary folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { entityTypesModule } from "./lib/entity-types.mjs";
import { mapItemsModule } from "./lib/map-items.mjs";
import { packetIdsModule, packetIdsOf } from "./lib/packet-ids.mjs";
import { releasesModule, releasesOf } from "./lib/releases.mjs";

const java = new URL("../packages/minecraft-protocol/src/java/", import.meta.url);
const target = fileURLToPath(new URL("releases.ts", java));
const data = "package/minecraft-data/data";

const folder = mkdtempSync(join(tmpdir(), "palisade-versions-"));
try {
  run("npm", ["pack", "minecraft-data@latest", "--ignore-scripts", "--silent"]);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack left no package");
  run("tar", ["-xzf", tarball, `${data}/pc`, `${data}/dataPaths.json`]);
  const entries = read("pc/common/protocolVersions.json");
  const before = existsSync(target) ? (await import(pathToFileURL(target).href)).releases : [];
  const releases = releasesOf(entries, before);
  writeFileSync(target, releasesModule(releases));
  const paths = read("dataPaths.json").pc;
  const protocolOf = (release) => {
    // All releases of 1.7 share one entry.
    const of = paths[release] ?? (release.startsWith("1.7.") ? paths["1.7"] : undefined);
    return of && read(`${of.protocol}/protocol.json`);
  };
  const ids = packetIdsModule(packetIdsOf(releases, protocolOf));
  writeFileSync(fileURLToPath(new URL("packet-ids.ts", java)), ids);
  run("oxfmt", [fileURLToPath(new URL("packet-ids.ts", java))]);
  const entitiesOf = (release) => {
    const of = paths[release]?.entities;
    return of && read(`${of}/entities.json`);
  };
  const entityTypes = fileURLToPath(new URL("limbo/entity-types.ts", java));
  writeFileSync(entityTypes, entityTypesModule(releases, entitiesOf));
  run("oxfmt", [entityTypes]);
  const itemsOf = (release) => {
    const of = (paths[release] ?? (release === "1.7.2" ? paths["1.7"] : undefined))?.items;
    return of && read(`${of}/items.json`);
  };
  const mapItems = fileURLToPath(new URL("limbo/map-items.ts", java));
  writeFileSync(mapItems, mapItemsModule(releases, itemsOf, protocolOf));
  run("oxfmt", [mapItems]);
  const known = new Set(before.map(([name]) => name));
  const added = releases.map(([name]) => name).filter((name) => !known.has(name));
  console.log(`${tarball}: ${releases.length} releases, new: ${added.join(", ") || "none"}`);
} finally {
  rmSync(folder, { recursive: true });
}

function read(path) {
  return JSON.parse(readFileSync(join(folder, data, path), "utf8"));
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw error ?? new Error(`${command} ended with ${status}`);
}
