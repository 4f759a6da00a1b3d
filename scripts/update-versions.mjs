// npm run versions:update: rewrites the tables of Minecraft releases, of packet ids, of entity types, of
// maps and of the limbo from the newest minecraft-data on npm. The package does not become a dependency: its
// files are read in a temporary folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { entityTypesModule } from "./lib/entity-types.mjs";
import { blockStatesOf, limboTablesModule, limboSetsOf } from "./lib/limbo-tables.mjs";
import { mapItemsModule } from "./lib/map-items.mjs";
import { describedBy, describedReleases, packetIdsModule, packetIdsOf } from "./lib/packet-ids.mjs";
import { releasesModule, releasesOf } from "./lib/releases.mjs";
import { gameVersions } from "../packages/minecraft-protocol/src/bedrock/game-versions.ts";

const java = new URL("../packages/minecraft-protocol/src/java/", import.meta.url);
const target = fileURLToPath(new URL("releases.ts", java));
const data = "package/minecraft-data/data";

const folder = mkdtempSync(join(tmpdir(), "palisade-versions-"));
try {
  run("npm", ["pack", "minecraft-data@latest", "--ignore-scripts", "--silent"]);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack left no package");
  const bedrockVersions = "bedrock/common/protocolVersions.json";
  const files = ["pc", "dataPaths.json", bedrockVersions].map((file) => `${data}/${file}`);
  run("tar", ["-xzf", tarball, ...files]);
  const entries = read("pc/common/protocolVersions.json");
  const before = existsSync(target) ? (await import(pathToFileURL(target).href)).releases : [];
  const releases = releasesOf(entries, before);
  writeFileSync(target, releasesModule(releases));
  const paths = read("dataPaths.json").pc;
  const dataOf = (kind, file) => (release) => {
    // All releases of 1.7 share one entry.
    const of = paths[release] ?? (release.startsWith("1.7.") ? paths["1.7"] : undefined);
    return of?.[kind] && read(`${of[kind]}/${file}.json`);
  };
  const protocolOf = dataOf("protocol", "protocol");
  write("packet-ids.ts", packetIdsModule(packetIdsOf(releases, protocolOf)));
  write("limbo/entity-types.ts", entityTypesModule(releases, dataOf("entities", "entities")));
  write("limbo/map-items.ts", mapItemsModule(releases, dataOf("items", "items"), protocolOf));
  const sameNumber = (of) => (release) => describedBy(releases, release, of);
  const described = describedReleases(releases, protocolOf);
  const tables = limboTablesModule(
    limboSetsOf(described, sameNumber(dataOf("loginPacket", "loginPacket"))),
    blockStatesOf(described, sameNumber(dataOf("blocks", "blocks"))),
    /(\d+\.\d+\.\d+)\.tgz$/u.exec(tarball)?.[1],
  );
  write("limbo/limbo-tables.ts", tables);
  const known = new Set(before.map(([name]) => name));
  const added = releases.map(([name]) => name).filter((name) => !known.has(name));
  console.log(`${tarball}: ${releases.length} releases, new: ${added.join(", ") || "none"}`);
  tellOfBedrock(read(bedrockVersions));
} finally {
  rmSync(folder, { recursive: true });
}

/** The table of Bedrock names versions whose real clients are tested, so it is raised by hand. */
function tellOfBedrock(entries) {
  const [newest] = entries
    .filter(({ releaseType }) => releaseType === "release")
    .toSorted((a, b) => b.version - a.version);
  const { protocol, name } = gameVersions.newest;
  if (newest === undefined || newest.version <= protocol) return;
  const released = `${newest.minecraftVersion} (${newest.version})`;
  console.log(
    `Bedrock: ${released} is released; bedrock/game-versions.ts ends with ${name} (${protocol})`,
  );
}

function write(name, text) {
  const file = fileURLToPath(new URL(name, java));
  writeFileSync(file, text);
  run("oxfmt", [file]);
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
