/**
 * Data that vanilla clients need and minecraft-data does not have. Source: PicoLimbo 1.13 (MIT,
 * https://github.com/Quozul/PicoLimbo), which vanilla clients of these versions enter.
 */

const text = (value) => ({ type: "string", value });
const float = (value) => ({ type: "float", value });
const int = (value) => ({ type: "int", value });
const compound = (value) => ({ type: "compound", value });

/** Entries by release and registry, which stay in later releases. */
export const addedEntries = {
  26.2: {
    damage_type: {
      sulfur_cube_hot: {
        effects: text("burning"),
        exhaustion: float(0.1),
        message_id: text("sulfurCubeHot"),
        scaling: text("when_caused_by_living_non_player"),
      },
    },
    jukebox_song: {
      bounce: {
        comparator_output: int(8),
        description: compound({ translate: text("jukebox_song.minecraft.bounce") }),
        length_in_seconds: float(234),
        sound_event: text("minecraft:music_disc.bounce"),
      },
    },
  },
};

const names = (list) => list.trim().split(/\s+/u);

/** Our dimension type names one of them. */
const timeline = names("in_end in_nether in_overworld universal");

const dialog = names("pause_screen_additions quick_actions");

/** Items with banner patterns name them. */
const bannerPattern = names(`
  no_item_required pattern_item/bordure_indented pattern_item/creeper pattern_item/field_masoned
  pattern_item/flow pattern_item/flower pattern_item/globe pattern_item/guster pattern_item/mojang
  pattern_item/piglin pattern_item/skull
`);

/** Shields and items that resist damage name some of them. */
const damageType = names(`
  always_hurts_ender_dragons always_kills_armor_stands always_most_significant_fall
  always_triggers_silverfish avoids_guardian_thorns burn_from_stepping burns_armor_stands
  bypasses_armor bypasses_effects bypasses_enchantments bypasses_invulnerability
  bypasses_resistance bypasses_shield bypasses_wolf_armor can_break_armor_stand damages_helmet
  ignites_armor_stands is_drowning is_explosion is_fall is_fire is_freezing is_lightning
  is_player_attack is_projectile mace_smash no_anger no_impact no_knockback panic_causes
  panic_environmental_causes witch_resistant_to wither_immune_to
`);

const block = names(`
  acacia_logs air all_hanging_signs all_signs ancient_city_replaceable animals_spawnable_on
  anvil armadillo_spawnable_on axolotls_spawnable_on azalea_grows_on azalea_root_replaceable
  badlands_terracotta bamboo_blocks banners bars base_stone_nether base_stone_overworld
  bats_spawnable_on beacon_base_blocks beds bee_attractive bee_growables beehives
  beneath_bamboo_podzol_replaceable beneath_tree_podzol_replaceable birch_logs
  blocks_wind_charge_explosions buttons camel_sand_step_sound_blocks camels_spawnable_on
  campfires can_glide_through candle_cakes candles cannot_replace_below_tree_trunk
  cannot_support_kelp cannot_support_seagrass cannot_support_snow_layer cauldrons
  causes_continuous_geyser_eruptions causes_periodic_geyser_eruptions cave_vines
  ceiling_hanging_signs chains cherry_logs climbable coal_ores combination_step_sound_blocks
  completes_find_tree_tutorial concrete concrete_powders convertable_to_mud copper
  copper_chests copper_golem_statues copper_ores coral_blocks coral_plants corals
  crimson_stems crops crystal_sound_blocks dampens_vibrations dark_oak_logs
  deepslate_ore_replaceables default_immune_to diamond_ores dirt does_not_block_hoppers doors
  dragon_immune dragon_transparent dripstone_replaceable_blocks edible_for_sheep emerald_ores
  enables_bubble_column_drag_down enables_bubble_column_push_up enchantment_power_provider
  enchantment_power_transmitter enderman_holdable fall_damage_resetting
  features_cannot_replace fence_gates fences fire flower_pots flowers forest_rock_can_place_on
  fox_immune_to foxes_spawnable_on frog_prefer_jump_to frogs_spawnable_on geode_invalid_blocks
  glazed_terracotta goats_spawnable_on gold_ores grass_blocks grows_crops guarded_by_piglins
  happy_ghast_avoids hoglin_repellents huge_brown_mushroom_can_place_on
  huge_red_mushroom_can_place_on ice ice_spike_replaceable impermeable
  incorrect_for_copper_tool incorrect_for_diamond_tool incorrect_for_gold_tool
  incorrect_for_iron_tool incorrect_for_netherite_tool incorrect_for_stone_tool
  incorrect_for_wooden_tool infiniburn_end infiniburn_nether infiniburn_overworld
  inside_step_sound_blocks invalid_spawn_inside iron_ores jungle_logs lanterns lapis_ores
  lava_pool_stone_cannot_replace leaves lightning_rods logs logs_that_burn
  lush_ground_replaceable maintains_farmland mangrove_logs mangrove_logs_can_grow_through
  mangrove_roots_can_grow_through mineable/axe mineable/hoe mineable/pickaxe mineable/shovel
  mob_interactable_doors mooshrooms_spawnable_on moss_blocks moss_replaceable mud
  needs_diamond_tool needs_iron_tool needs_stone_tool nether_carver_replaceables nylium
  oak_logs occludes_vibration_signals overrides_mushroom_light_requirement
  overworld_carver_replaceables overworld_natural_logs pale_oak_logs parrots_spawnable_on
  piglin_repellents planks polar_bear_immune_to polar_bears_spawnable_on_alternate portals
  pressure_plates prevent_mob_spawning_inside prevents_nearby_leaf_decay rabbits_spawnable_on
  rails redstone_ores replaceable replaceable_by_mushrooms replaceable_by_trees sand saplings
  sculk_replaceable sculk_replaceable_world_gen shears_extreme_breaking_speed
  shears_major_breaking_speed shears_minor_breaking_speed shulker_boxes signs slabs
  small_flowers smelts_to_glass snaps_goat_horn sniffer_diggable_block sniffer_egg_hatch_boost
  snow snow_golem_immune_to soul_fire_base_blocks soul_speed_blocks speleothems spruce_logs
  stairs standing_signs stone_bricks stone_buttons stone_ore_replaceables
  stone_pressure_plates stray_immune_to strider_warm_blocks substrate_overworld
  sulfur_spike_replaceable_blocks support_override_cactus_flower support_override_snow_layer
  supports_azalea supports_bamboo supports_big_dripleaf supports_cactus supports_chorus_flower
  supports_chorus_plant supports_cocoa supports_crimson_fungus supports_crimson_roots
  supports_crops supports_dry_vegetation supports_frogspawn
  supports_hanging_mangrove_propagule supports_lily_pad supports_mangrove_propagule
  supports_melon_stem supports_melon_stem_fruit supports_nether_sprouts supports_nether_wart
  supports_pumpkin_stem supports_pumpkin_stem_fruit supports_small_dripleaf
  supports_stem_crops supports_stem_fruit supports_sugar_cane supports_sugar_cane_adjacently
  supports_vegetation supports_warped_fungus supports_warped_roots supports_wither_rose
  suppresses_bounce sword_efficient sword_instantly_mines terracotta trail_ruins_replaceable
  trapdoors triggers_ambient_desert_dry_vegetation_block_sounds
  triggers_ambient_desert_sand_block_sounds triggers_ambient_dried_ghast_block_sounds
  underwater_bonemeals unstable_bottom_center valid_spawn vibration_resonators wall_corals
  wall_hanging_signs wall_post_override wall_signs walls warped_stems wart_blocks
  wither_immune wither_immune_to wither_skeleton_immune_to wither_summon_base_blocks
  wolves_spawnable_on wooden_buttons wooden_doors wooden_fences wooden_pressure_plates
  wooden_shelves wooden_slabs wooden_stairs wooden_trapdoors wool wool_carpets
`);

const since26 = { banner_pattern: bannerPattern, damage_type: damageType, dialog, timeline };

/**
 * Tags that a client needs because registry entries or the game's own items name them, by the first
 * release and registry: it leaves if one is missing, but accepts one without entries.
 */
export const neededTags = {
  "1.21.11": { timeline },
  26.1: since26,
  26.2: {
    ...since26,
    block,
    damage_type: [...damageType, "sulfur_cube_with_block_immune_to"],
  },
};
