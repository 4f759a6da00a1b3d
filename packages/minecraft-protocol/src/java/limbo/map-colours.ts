/**
 * Colours of maps. A map's byte is four times the base colour, plus its shade. Source: minecraft.wiki,
 * "Map item format", Base colors and Map colors.
 *
 * Only base colours are here that every version from 1.7.2 on shows in the same or nearly the same tone.
 */
const baseColours = {
  sand: [2, 0xf7e9a3],
  ice: [5, 0xa0a0ff],
  snow: [8, 0xffffff],
  quartz: [14, 0xfffcf5],
  lightBlue: [17, 0x6699d8],
  yellow: [18, 0xe5e533],
  pink: [20, 0xf27fa5],
  gray: [21, 0x4c4c4c],
  cyan: [23, 0x4c7f99],
  purple: [24, 0x7f3fb2],
  blue: [25, 0x334cb2],
  brown: [26, 0x664c33],
  green: [27, 0x667f33],
  red: [28, 0x993333],
  black: [29, 0x191919],
  gold: [30, 0xfaee4d],
  diamond: [31, 0x5cdbd5],
  nether: [35, 0x700200],
} as const satisfies Record<string, readonly [number, number]>;

export type BaseColour = keyof typeof baseColours;

/** Parts of 255 by which the shades darken a base colour; the fourth shade came after 1.7. */
const shades = { dark: [0, 180], normal: [1, 220], bright: [2, 255] } as const;

export type Shade = keyof typeof shades;

/** The byte of a colour on a map. */
export function mapColour(base: BaseColour, shade: Shade): number {
  return 4 * baseColours[base][0] + shades[shade][0];
}

/** Red, green and blue, 0 to 255, of every colour that `mapColour` gives, by its byte. */
export const rgbOfMapColours: ReadonlyMap<number, readonly [number, number, number]> = new Map(
  Object.values(baseColours).flatMap(([base, rgb]) =>
    Object.values(shades).map(([shade, part]) => {
      const darkened = (bits: number): number => Math.floor((((rgb >> bits) & 0xff) * part) / 255);
      return [4 * base + shade, [darkened(16), darkened(8), darkened(0)]] as const;
    }),
  ),
);
