import {
  type BaseColour,
  mapColour,
  type Shade,
} from "@palisade/minecraft-protocol/java/limbo/map-colours";

/** Colours of one picture: any ink is easy to tell from any paper. */
export interface Palette {
  readonly papers: readonly number[];
  readonly inks: readonly number[];
}

/**
 * Luminance contrast of any ink with any paper, as WCAG 2 defines it, for all eyes: with normal
 * vision and without red, green or blue cones. WCAG asks for 3 for large text; the light of the game
 * takes some of it away.
 */
export const contrastMin = 4.5;

const palette = (
  papers: readonly (readonly [BaseColour, Shade])[],
  inks: readonly (readonly [BaseColour, Shade])[],
): Palette => ({
  papers: papers.map(([base, shade]) => mapColour(base, shade)),
  inks: inks.map(([base, shade]) => mapColour(base, shade)),
});

/** Several tones of each, so that one threshold does not part them. */
export const palettes: readonly Palette[] = [
  palette(
    [
      ["snow", "normal"],
      ["quartz", "bright"],
      ["sand", "bright"],
    ],
    [
      ["black", "dark"],
      ["blue", "dark"],
      ["gray", "normal"],
    ],
  ),
  palette(
    [
      ["sand", "normal"],
      ["gold", "bright"],
      ["quartz", "normal"],
    ],
    [
      ["brown", "dark"],
      ["nether", "bright"],
      ["gray", "dark"],
    ],
  ),
  palette(
    [
      ["diamond", "bright"],
      ["snow", "normal"],
      ["snow", "bright"],
    ],
    [
      ["purple", "dark"],
      ["blue", "dark"],
      ["black", "bright"],
    ],
  ),
  palette(
    [
      ["yellow", "bright"],
      ["sand", "bright"],
      ["snow", "bright"],
    ],
    [
      ["red", "dark"],
      ["purple", "dark"],
      ["brown", "dark"],
    ],
  ),
  palette(
    [
      ["gold", "normal"],
      ["sand", "normal"],
      ["diamond", "bright"],
    ],
    [
      ["gray", "dark"],
      ["black", "normal"],
      ["blue", "dark"],
    ],
  ),
];
