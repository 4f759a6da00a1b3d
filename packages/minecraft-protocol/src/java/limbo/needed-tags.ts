import { encodeString, encodeVarInt } from "../fields.ts";
import { versionTable } from "../version-table.ts";

/**
 * Tags that a client needs in the configuration state because registry entries or the game's own items
 * name them: it leaves if one is missing, but accepts one without entries. Until 1.21.10 there are none.
 * Source: the sources of PicoLimbo 1.13 (MIT), which vanilla clients enter with these.
 */

type Tags = Readonly<Record<string, readonly string[]>>;

/** Our dimension type names one of them. */
const timelines = ["in_end", "in_nether", "in_overworld", "universal"];

const dialogs = ["pause_screen_additions", "quick_actions"];

/** The game's banner pattern items name them. */
const bannerPatterns = [
  "no_item_required",
  ...[
    "bordure_indented",
    "creeper",
    "field_masoned",
    "flow",
    "flower",
    "globe",
    "guster",
    "mojang",
    "piglin",
    "skull",
  ].map((pattern) => `pattern_item/${pattern}`),
];

/** Shields and items that resist damage name some of them. */
const damageTypes = [
  "always_hurts_ender_dragons",
  "always_kills_armor_stands",
  "always_most_significant_fall",
  "always_triggers_silverfish",
  "avoids_guardian_thorns",
  "burn_from_stepping",
  "burns_armor_stands",
  "bypasses_armor",
  "bypasses_effects",
  "bypasses_enchantments",
  "bypasses_invulnerability",
  "bypasses_resistance",
  "bypasses_shield",
  "bypasses_wolf_armor",
  "can_break_armor_stand",
  "damages_helmet",
  "ignites_armor_stands",
  "is_drowning",
  "is_explosion",
  "is_fall",
  "is_fire",
  "is_freezing",
  "is_lightning",
  "is_player_attack",
  "is_projectile",
  "mace_smash",
  "no_anger",
  "no_impact",
  "no_knockback",
  "panic_causes",
  "panic_environmental_causes",
  "witch_resistant_to",
  "wither_immune_to",
];

const neededTags = versionTable<Tags>([
  ["1.21.11", { timeline: timelines }],
  [
    "26.1",
    {
      banner_pattern: bannerPatterns,
      damage_type: damageTypes,
      dialog: dialogs,
      timeline: timelines,
    },
  ],
]);

/** The fields of an Update Tags packet; empty if the version needs none. */
export function encodeNeededTags(protocol: number): Buffer {
  const tags = neededTags(protocol);
  if (tags === undefined) return Buffer.alloc(0);
  const registries = Object.entries(tags);
  return Buffer.concat([
    encodeVarInt(registries.length),
    ...registries.flatMap(([registry, names]) => [
      encodeString(`minecraft:${registry}`),
      encodeVarInt(names.length),
      ...names.flatMap((name) => [encodeString(`minecraft:${name}`), noEntries]),
    ]),
  ]);
}

const noEntries = encodeVarInt(0);
