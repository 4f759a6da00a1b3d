import { brotliCompressSync } from "node:zlib";
import { addedEntries, neededTags } from "./limbo-additions.mjs";
import { encodeNbt } from "./nbt.mjs";

/**
 * The registries that the limbo sends and the blocks that it consists of, from minecraft-data
 * (`loginPacket.json` and `blocks.json`).
 */

/**
 * Registries that a vanilla client refuses to enter a world without.
 *
 * - `since` and `until`: the first release that has the registry in this form, and the first without.
 * - `entries`: those that are sent; all of them if left out.
 * - `from`: until this release, minecraft-data repeats files of releases that did not have the registry
 *   yet, so that this one's data stand in for them.
 * - `keeps`: entries are never lost. minecraft-data has a file with fewer for some later releases.
 * - `change`: what differs from the game's own entry.
 */
const wanted = [
  { registry: "dimension_type", since: "1.16", entries: ["overworld"], change: limboDimension },
  { registry: "worldgen/biome", since: "1.16.2", entries: ["plains"] },
  { registry: "chat_type", since: "1.19" },
  // The game looks up each of its types as a world is made.
  { registry: "damage_type", since: "1.19.4", keeps: true },
  // Registries that must not be empty.
  {
    registry: "wolf_variant",
    since: "1.20.5",
    until: "1.21.5",
    entries: ["pale"],
    change: wolfOfPlains,
  },
  { registry: "wolf_variant", since: "1.21.5", from: "1.21.11", entries: ["pale"] },
  { registry: "wolf_sound_variant", since: "1.21.5", from: "1.21.11", entries: ["classic"] },
  { registry: "cat_variant", since: "1.21.5", from: "1.21.11", entries: ["black", "red"] },
  ...["cow", "frog", "pig"].map((animal) => ({
    registry: `${animal}_variant`,
    since: "1.21.5",
    from: "1.21.11",
    entries: ["temperate"],
  })),
  // Eggs of three colours name all of them.
  { registry: "chicken_variant", since: "1.21.5", from: "1.21.11" },
  { registry: "painting_variant", since: "1.21", entries: ["kebab"] },
  { registry: "zombie_nautilus_variant", since: "1.21.11", entries: ["temperate"] },
  { registry: "timeline", since: "1.21.11", entries: ["early_game"] },
  ...["cat", "chicken", "cow", "pig"].map((animal) => ({
    registry: `${animal}_sound_variant`,
    since: "26.1",
    entries: ["classic"],
  })),
  // The timeline names it.
  { registry: "world_clock", since: "26.1", entries: ["overworld"] },
  // From 26.1 on the game's own items name entries of these.
  ...["instrument", "jukebox_song", "trim_material"].map((registry) => ({
    registry,
    since: "26.1",
  })),
  { registry: "banner_pattern", since: "26.1", entries: ["base"] },
];

/** A world of 256 blocks from 0 on, in full light. */
function limboDimension(element) {
  const changed = { ...element, ambient_light: { type: "float", value: 1 } };
  const heights = { min_y: 0, height: 256, logical_height: 256 };
  for (const [name, value] of Object.entries(heights)) {
    if (name in element) changed[name] = { type: "int", value };
  }
  const lightColour = "minecraft:visual/ambient_light_color";
  if (element.attributes?.value[lightColour] === undefined) return changed;
  const white = { type: "string", value: "#ffffff" };
  const attributes = { ...element.attributes.value, [lightColour]: white };
  return { ...changed, attributes: { type: "compound", value: attributes } };
}

/** The entry names the biomes of its wolves, and ours is the only biome. */
function wolfOfPlains(element) {
  return { ...element, biomes: { type: "string", value: "minecraft:plains" } };
}

/**
 * @param {readonly string[]} described names of releases with own protocol numbers, oldest first
 * @param {(release: string) => object | undefined} loginPacketOf minecraft-data's of a release
 * @returns the distinct sets, each a list of parts, and rows of [release, number of the set], of the
 *   registries and of the tags
 */
export function limboSetsOf(described, loginPacketOf) {
  const releases = [...described];
  for (const release of [...Object.keys(addedEntries), ...Object.keys(neededTags)]) {
    // Not yet described: later than all that are.
    if (!releases.includes(release)) releases.push(release);
  }
  const codecs = codecsOf(releases, loginPacketOf);
  const sets = [];
  const registries = [];
  const tags = [];
  for (const [index, release] of releases.entries()) {
    addRow(
      registries,
      release,
      partsOf(release, registriesOf(release, codecs.slice(0, index + 1), codecs)),
    );
    addRow(tags, release, tagsOf(release));
  }
  return { sets: sets.map(({ parts }) => parts), registries, tags };

  function addRow(rows, release, parts) {
    if (parts === undefined) return;
    const key = Buffer.concat(parts).toString("hex");
    const known = sets.findIndex((set) => set.key === key);
    const number = known === -1 ? sets.push({ key, parts }) - 1 : known;
    if (rows.at(-1)?.[1] !== number) rows.push([release, number]);
  }
}

/** [release, its registries], oldest first. A release without a packet has those before it. */
function codecsOf(releases, loginPacketOf) {
  let codec;
  return releases.map((release) => {
    codec = withAdditions(codecOf(loginPacketOf(release)) ?? codec, addedEntries[release]);
    return [release, codec];
  });
}

function withAdditions(codec, additions = {}) {
  const changed = { ...codec };
  for (const [registry, entries] of Object.entries(additions)) {
    const own = codec[registry];
    const isNew = ([name]) => !own.some(([other]) => other === name);
    changed[registry] = [...own, ...Object.entries(entries).filter(isNew)];
  }
  return codec && changed;
}

/** The fields of an Update Tags packet with tags that have no entries. */
function tagsOf(release) {
  const tags = neededTags[release];
  if (tags === undefined) return undefined;
  const registries = Object.entries(tags).map(([registry, names]) =>
    Buffer.concat([
      string(`minecraft:${registry}`),
      varInt(names.length),
      ...names.flatMap((name) => [string(`minecraft:${name}`), varInt(0)]),
    ]),
  );
  return [Buffer.concat([varInt(registries.length), ...registries])];
}

/** The registries of a login packet: entries of [name without namespace, NBT], by registry. */
function codecOf(packet) {
  const codec = packet?.dimensionCodec;
  if (codec === undefined) return undefined;
  const short = (name) => name.replace(/^minecraft:/u, "");
  if (codec.type === undefined) {
    const entriesOf = ({ entries }) => entries.map(({ key, value }) => [short(key), value.value]);
    return Object.fromEntries(Object.values(codec).map((of) => [short(of.id), entriesOf(of)]));
  }
  if (codec.value.dimension !== undefined) {
    const dimensions = codec.value.dimension.value.value;
    const named = dimensions.map(({ name, ...element }) => [short(name.value), element]);
    return { dimension_type: named };
  }
  const entriesOf = (registry) =>
    registry.value.value.value.value.map(({ name, element }) => [short(name.value), element.value]);
  return Object.fromEntries(
    Object.entries(codec.value).map(([name, registry]) => [short(name), entriesOf(registry)]),
  );
}

/**
 * @param codecs of all releases; the last of `former` is the release's own
 * @returns [registry, entries] of everything wanted that the release has
 */
function registriesOf(release, former, codecs) {
  const isSince = (name) => compareReleases(release, name) >= 0;
  const isIn = ({ since, until }) => isSince(since) && (until === undefined || !isSince(until));
  return wanted.filter(isIn).map(({ registry, from, entries, keeps, change = same }) => {
    const own = former.at(-1);
    const source =
      from === undefined || isSince(from) ? own : codecs.find(([name]) => name === from);
    const found = new Map();
    for (const [, codec] of keeps ? former : [source]) {
      for (const [name, element] of codec?.[registry] ?? []) found.set(name, element);
    }
    const names = entries ?? [...found.keys()];
    const missing = names.find((name) => !found.has(name));
    if (names.length === 0 || missing !== undefined) {
      throw new Error(`minecraft-data's ${release} has no ${missing ?? "entry"} of ${registry}`);
    }
    return [registry, names.map((name) => [name, change(found.get(name))])];
  });
}

const same = (element) => element;

/** The bytes of the packets: see registries.ts of the limbo for where each part belongs. */
function partsOf(release, registries) {
  if (registries.length === 0) return undefined;
  const has = (name) => compareReleases(release, name) >= 0;
  if (has("1.20.5")) return registries.map(packetOf);
  const [[, [[, dimension]]]] = registries;
  if (!has("1.16.2")) {
    const named = { name: text("minecraft:overworld"), ...dimension };
    return [encodeNbt(compound({ dimension: compounds([named]) }), true)];
  }
  const codec = Object.fromEntries(
    registries.map(([registry, entries]) => {
      const list = entries.map(([name, element], id) => ({
        name: text(`minecraft:${name}`),
        id: { type: "int", value: id },
        element: compound(element),
      }));
      const name = `minecraft:${registry}`;
      return [name, compound({ type: text(name), value: compounds(list) })];
    }),
  );
  if (has("1.20.2")) return [encodeNbt(compound(codec), false)];
  const whole = encodeNbt(compound(codec), true);
  return has("1.19") ? [whole] : [whole, encodeNbt(compound(dimension), true)];
}

/** From 1.20.5 on, one packet for each registry. */
function packetOf([registry, entries]) {
  return Buffer.concat([
    string(`minecraft:${registry}`),
    varInt(entries.length),
    ...entries.flatMap(([name, element]) => [
      string(`minecraft:${name}`),
      Buffer.of(1),
      encodeNbt(compound(element), false),
    ]),
  ]);
}

const text = (value) => ({ type: "string", value });
const compound = (value) => ({ type: "compound", value });
const compounds = (value) => ({ type: "list", value: { type: "compound", value } });

const string = (value) => Buffer.concat([varInt(Buffer.byteLength(value)), Buffer.from(value)]);

function varInt(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

/** Releases are numbered in the order of their parts. */
function compareReleases(one, other) {
  const [left, right] = [one, other].map((name) => name.split(".").map(Number));
  for (let part = 0; part < 3; part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * @param {(release: string) => readonly object[] | undefined} blocksOf minecraft-data's of a release
 * @returns rows of [release, state], by block. Until 1.12.2 a state is the block's number with 4 bits of
 *   data behind it.
 */
export function blockStatesOf(described, blocksOf) {
  const rows = { stone: [], glass: [] };
  for (const release of described) {
    const blocks = blocksOf(release);
    for (const name of Object.keys(rows)) {
      const block = blocks?.find((candidate) => candidate.name === name);
      const state = block && (block.defaultState ?? block.id << 4);
      if (state !== undefined && rows[name].at(-1)?.[1] !== state)
        rows[name].push([release, state]);
    }
  }
  return rows;
}

/**
 * @param sets as `limboSetsOf` has them
 * @param blocks as `blockStatesOf` has them
 * @param {string} version of minecraft-data
 */
export function limboTablesModule({ sets, registries, tags }, blocks, version) {
  const whole = Buffer.concat([
    varInt(sets.length),
    ...sets.flatMap((parts) => [
      varInt(parts.length),
      ...parts.flatMap((part) => [varInt(part.length), part]),
    ]),
  ]);
  const packed = brotliCompressSync(whole).toString("base64");
  const lines = packed.match(/.{1,96}/gu).map((line) => `"${line}",`);
  const table = (of) => of.map(([release, value]) => `["${release}", ${value}],`).join("\n");
  const states = Object.entries(blocks).map(
    ([name, of]) => `${name}: versionTable([${table(of)}]),`,
  );
  return `import { versionTable } from "../version-table.ts";

/**
 * The parts of the game's own data that the limbo sends, from the npm package minecraft-data
 * ${version} (MIT, https://github.com/PrismarineJS/minecraft-data). README.md tells which, and why.
 *
 * Written by \`npm run versions:update\`; do not edit.
 */

export const blockStates = {
${states.join("\n")}
};

/** Numbers of a version's registries and tags in \`packedSets\`. */
export const registriesIndex = versionTable([
${table(registries)}
]);
export const tagsIndex = versionTable([
${table(tags)}
]);

/** Compressed with Brotli, in base64; registries.ts reads it. */
export const packedSets = [
${lines.join("\n")}
].join("");
`;
}
