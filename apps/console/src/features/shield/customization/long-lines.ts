import {
  kickLinePixels,
  measureLines,
  motdLinePixels,
} from "@palisade/minecraft-protocol/java/glyph-widths";
import { withSectionSigns } from "#src/lib/minecraft-codes.ts";

/** Numbers, from 1, of the MOTD lines that the server list cuts off or wraps. */
export function longMotdLines(lines: readonly string[]): number[] {
  return linesBeyond(lines.join("\n"), motdLinePixels);
}

/** Numbers, from 1, of the lines that continue on the next line of the kick screen. */
export function longKickLines(text: string): number[] {
  return linesBeyond(text, kickLinePixels);
}

function linesBeyond(text: string, windowPixels: number): number[] {
  return measureLines(withSectionSigns(text), windowPixels).flatMap(({ excessPixels }, index) =>
    excessPixels > 0 ? [index + 1] : [],
  );
}
