import { randomBytes, randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { mapSide } from "@palisade/minecraft-protocol/java/limbo/map";
import { rgbOfMapColours } from "@palisade/minecraft-protocol/java/limbo/map-colours";
import { alphabet, randomCode } from "./code.ts";
import { glyphs } from "./glyphs.ts";
import { contrastMin, palettes } from "./palettes.ts";
import { drawPicture } from "./picture.ts";
import { seedBytes, SeededRandom } from "./seeded-random.ts";

const drawn = (code: string, seed: Uint8Array): Buffer =>
  Buffer.from(drawPicture(code, new SeededRandom(seed)));

test("the same code and seed give the same picture, another seed or code another one", () => {
  const seed = randomBytes(seedBytes);
  const picture = drawn("ACE39", seed);
  expect(drawn("ACE39", seed).equals(picture)).toBe(true);
  expect(drawn("ACE39", randomBytes(seedBytes)).equals(picture)).toBe(false);
  expect(drawn("ACE36", seed).equals(picture)).toBe(false);
});

test("a picture has the size of a map and the colours of one palette", () => {
  for (let n = 0; n < 30; n++) {
    const picture = drawn(randomCode(randomInt), randomBytes(seedBytes));
    expect(picture.length).toBe(mapSide * mapSide);
    const colours = new Set(picture);
    const fitting = palettes.filter(({ papers, inks }) => {
      const all = new Set([...papers, ...inks]);
      return [...colours].every((colour) => all.has(colour));
    });
    expect(fitting.length).toBeGreaterThan(0);
  }
});

test("every shape is drawn on its field, with at least one line", () => {
  for (const letter of alphabet) {
    const shapes = glyphs[letter] ?? [];
    expect(shapes.length).toBeGreaterThan(0);
    for (const stroke of shapes.flat()) {
      expect(stroke.length % 2).toBe(0);
      expect(stroke.length).toBeGreaterThanOrEqual(4);
      for (const at of stroke) expect(at >= -0.01 && at <= 10.01, letter).toBe(true);
    }
  }
});

/**
 * Linear RGB as seen without a kind of cones: Machado, Oliveira and Fernandes, "A Physiologically-based
 * Model for Simulation of Color Vision Deficiency" (2009), at full severity.
 */
const eyes: Readonly<Record<string, readonly (readonly [number, number, number])[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Luminance as WCAG 2 defines it. */
function luminance(colour: number, seen: readonly (readonly [number, number, number])[]): number {
  const rgb = rgbOfMapColours.get(colour);
  if (rgb === undefined) throw new Error(`${colour} is no colour of a map`);
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const [r = 0, g = 0, b = 0] = seen.map(([fromRed, fromGreen, fromBlue]) =>
    Math.min(1, Math.max(0, fromRed * red + fromGreen * green + fromBlue * blue)),
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test.each(Object.entries(eyes))("any ink stands out from any paper to %s eyes", (_, seen) => {
  for (const { papers, inks } of palettes) {
    const lightest = Math.max(...inks.map((ink) => luminance(ink, seen)));
    const darkest = Math.min(...papers.map((paper) => luminance(paper, seen)));
    expect((darkest + 0.05) / (lightest + 0.05)).toBeGreaterThanOrEqual(contrastMin);
  }
});

test("ink and paper change sides within a picture, so one threshold does not find the letters", () => {
  for (let n = 0; n < 20; n++) {
    const picture = drawn("WWWW", randomBytes(seedBytes));
    const inks = new Set(palettes.flatMap((palette) => palette.inks));
    const shareOfInk = (from: number): number => {
      let ink = 0;
      for (let x = from; x < from + 16; x++) {
        for (let y = 0; y < mapSide; y++) ink += inks.has(picture[y * mapSide + x] ?? 0) ? 1 : 0;
      }
      return ink / (16 * mapSide);
    };
    const sides = [shareOfInk(0), shareOfInk(mapSide - 16)];
    expect(Math.max(...sides)).toBeGreaterThan(0.5);
    expect(Math.min(...sides)).toBeLessThan(0.5);
  }
});
