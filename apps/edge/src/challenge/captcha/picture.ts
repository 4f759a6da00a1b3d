import { mapSide } from "@palisade/minecraft-protocol/java/limbo/map";
import { glyphs, type Stroke } from "./glyphs.ts";
import { InkMask } from "./ink-mask.ts";
import { palettes } from "./palettes.ts";
import type { SeededRandom } from "./seeded-random.ts";

/**
 * Draws a code so that people read it and simple programs do not: letters touch, lean and wave, thin
 * lines join and cut them, a part of the picture is inverted, and tones change within letters. A trained
 * network can read any such picture; the captcha makes bots cost more, and its tries are few.
 */

/** A wave that moves points: sideways by their height, and up and down by their place in the row. */
type Wave = (x: number, y: number) => readonly [number, number];

/** @returns colours of a map, row by row */
export function drawPicture(code: string, random: SeededRandom): Uint8Array {
  const mask = new InkMask();
  drawLetters(mask, code, random);
  drawNoiseLines(mask, random);
  invertPart(mask, random);
  drawSpecks(mask, random);
  return coloured(mask, random);
}

/** Widths of letters, when it is not 1. */
const widths: Readonly<Record<string, number>> = { M: 1.25, W: 1.25, N: 1.1, T: 0.95, E: 0.9 };
const margin = 2;
/** Strokes are drawn in pieces of at most this many pixels, so that waves bend straight ones too. */
const pieceLength = 4;

function drawLetters(mask: InkMask, code: string, random: SeededRandom): void {
  const shares = [...code].map((letter) => widths[letter] ?? 1);
  const unit = (mapSide - 2 * margin) / shares.reduce((sum, share) => sum + share, 0);
  const wave = waveOf(random);
  const middle = mapSide / 2 + random.between(-12, 12);
  const slope = random.between(-0.12, 0.12);
  let left = margin;
  for (const [index, letter] of [...code].entries()) {
    const glyph = random.pick(glyphs[letter] ?? []);
    const advance = unit * (shares[index] ?? 1);
    // With its thickness it fills its place, so neighbours often touch.
    const width = advance * random.between(0.72, 0.84);
    const height = random.between(36, 48);
    const x = left + advance / 2 + random.between(-1, 1);
    left += advance;
    const y = middle + slope * (x - mapSide / 2) + random.between(-7, 7);
    const place = placeLetter({ x, y, width, height }, random, wave);
    const thickness = random.between(2.9, 3.7);
    for (const stroke of glyph) drawStroke(mask, stroke, place, thickness);
  }
}

interface LetterBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const degrees = Math.PI / 180;

/** From the field of a glyph to pixels: scaled, leaning, turned and waving. */
function placeLetter(box: LetterBox, random: SeededRandom, wave: Wave): Wave {
  const lean = random.between(-0.18, 0.18);
  const angle = random.between(-10, 10) * degrees;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return (glyphX, glyphY) => {
    const y = (glyphY / 10 - 0.5) * box.height;
    const x = (glyphX / 10 - 0.5) * box.width + lean * y * 0.6;
    return wave(box.x + cos * x - sin * y, box.y + sin * x + cos * y);
  };
}

function waveOf(random: SeededRandom): Wave {
  const sideways = sine(random, [0.8, 1.8], [30, 50]);
  const upright = sine(random, [1.5, 3.5], [40, 70]);
  return (x, y) => [x + sideways(y), y + upright(x)];
}

type Range = readonly [number, number];

/** A sine of random height, length and phase, all in pixels. */
function sine(random: SeededRandom, heights: Range, lengths: Range): (at: number) => number {
  const height = random.between(...heights);
  const turn = (2 * Math.PI) / random.between(...lengths);
  const phase = random.between(0, 2 * Math.PI);
  return (at) => height * Math.sin(turn * at + phase);
}

function drawStroke(mask: InkMask, stroke: Stroke, place: Wave, thickness: number): void {
  for (let at = 0; at + 3 < stroke.length; at += 2) {
    const [fromX, fromY] = [stroke[at] ?? 0, stroke[at + 1] ?? 0];
    const [toX, toY] = [stroke[at + 2] ?? 0, stroke[at + 3] ?? 0];
    const [startX, startY] = place(fromX, fromY);
    const [endX, endY] = place(toX, toY);
    const pieces = Math.ceil(Math.hypot(endX - startX, endY - startY) / pieceLength) || 1;
    let from = place(fromX, fromY);
    for (let piece = 1; piece <= pieces; piece++) {
      const share = piece / pieces;
      const to = place(fromX + (toX - fromX) * share, fromY + (toY - fromY) * share);
      mask.line(from, to, thickness);
      from = to;
    }
  }
}

function drawNoiseLines(mask: InkMask, random: SeededRandom): void {
  // Through the letters, from side to side: they join what stands apart.
  for (let n = 0; n < 2; n++) {
    const wander = sine(random, [4, 14], [60, 130]);
    const [left, right] = [random.between(30, 98), random.between(30, 98)];
    drawAcross(mask, (x) => left + ((right - left) * x) / mapSide + wander(x), {
      thickness: random.between(1, 1.4),
    });
  }
  // A line of paper cuts strokes apart.
  const bend = sine(random, [4, 12], [50, 110]);
  const level = random.between(40, 88);
  drawAcross(mask, (x) => level + bend(x), { thickness: random.between(1, 1.4), value: 0 });
  // Pieces of letters, above and below the row.
  for (let n = random.integer(7, 11); n > 0; n--) {
    const x = random.between(0, mapSide);
    const y = random.chance(0.5) ? random.between(0, 22) : random.between(106, mapSide);
    const angle = random.between(0, 2 * Math.PI);
    const length = random.between(8, 26);
    const to = [x + length * Math.cos(angle), y + 0.5 * length * Math.sin(angle)] as const;
    mask.line([x, y], to, random.between(1.6, 4.4));
  }
}

function drawAcross(
  mask: InkMask,
  heightAt: (x: number) => number,
  { thickness, value = 1 }: { readonly thickness: number; readonly value?: number },
): void {
  for (let x = 0; x < mapSide; x += pieceLength) {
    const next = x + pieceLength;
    mask.line([x, heightAt(x)], [next, heightAt(next)], thickness, value);
  }
}

/** One side of an upright, waving border. */
function invertPart(mask: InkMask, random: SeededRandom): void {
  const bend = sine(random, [4, 10], [36, 80]);
  const border = random.between(36, 92);
  const isBefore = random.chance(0.5);
  mask.invert((y) => border + bend(y), isBefore);
}

function drawSpecks(mask: InkMask, random: SeededRandom): void {
  for (let n = random.integer(160, 260); n > 0; n--) {
    const x = random.integer(0, mapSide - 2);
    const y = random.integer(0, mapSide - 1);
    mask.flip(x, y);
    if (random.chance(0.4)) mask.flip(x + 1, y);
  }
}

/** Tones change in patches, which do not follow the letters, and in single pixels. */
function coloured(mask: InkMask, random: SeededRandom): Uint8Array {
  const { papers, inks } = random.pick(palettes);
  const columns = sine(random, [0.8, 1.2], [40, 90]);
  const rows = sine(random, [0.8, 1.2], [40, 90]);
  const across = [...Array(mapSide).keys()].map(columns);
  const colours = new Uint8Array(mapSide * mapSide);
  for (let y = 0; y < mapSide; y++) {
    const down = rows(y);
    for (let x = 0; x < mapSide; x++) {
      const tones = mask.pixels[y * mapSide + x] === 1 ? inks : papers;
      const level = (across[x] ?? 0) + down + random.between(-0.7, 0.7);
      const tone = Math.floor(((level + 2.4) / 4.8) * tones.length);
      const bounded = Math.min(tones.length - 1, Math.max(0, tone));
      colours[y * mapSide + x] = tones[bounded] ?? 0;
    }
  }
  return colours;
}
