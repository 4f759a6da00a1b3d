import { mapSide } from "@palisade/minecraft-protocol/java/limbo/map";

const middle = 0.5;

/** Black and white: 1 for ink. Lines may leave the picture; the part inside is drawn. */
export class InkMask {
  readonly pixels = new Uint8Array(mapSide * mapSide);

  /**
   * A thick line with round ends.
   *
   * @param value 1 draws, 0 erases
   */
  line(
    [fromX, fromY]: readonly [number, number],
    [toX, toY]: readonly [number, number],
    thickness: number,
    value = 1,
  ): void {
    const radius = thickness / 2;
    const [dx, dy] = [toX - fromX, toY - fromY];
    const squaredLength = dx * dx + dy * dy || 1;
    const [left, right] = span(fromX, toX, radius);
    const [top, bottom] = span(fromY, toY, radius);
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const [px, py] = [x + middle - fromX, y + middle - fromY];
        const along = Math.min(1, Math.max(0, (px * dx + py * dy) / squaredLength));
        const [awayX, awayY] = [px - along * dx, py - along * dy];
        if (awayX * awayX + awayY * awayY <= radius * radius) this.pixels[y * mapSide + x] = value;
      }
    }
  }

  /**
   * Ink becomes paper, and paper ink, on one side of an upright border.
   *
   * @param borderAt x of the border in a row
   */
  invert(borderAt: (y: number) => number, isLeft: boolean): void {
    for (let y = 0; y < mapSide; y++) {
      const border = Math.min(mapSide, Math.max(0, Math.round(borderAt(y))));
      const [from, to] = isLeft ? [0, border] : [border, mapSide];
      for (let x = from; x < to; x++) this.flip(x, y);
    }
  }

  flip(x: number, y: number): void {
    const at = y * mapSide + x;
    this.pixels[at] = 1 - (this.pixels[at] ?? 0);
  }
}

/** The pixels between two coordinates, and `radius` more on both sides, inside the picture. */
function span(from: number, to: number, radius: number): readonly [number, number] {
  const first = Math.floor(Math.min(from, to) - radius);
  const last = Math.ceil(Math.max(from, to) + radius);
  return [Math.max(0, first), Math.min(mapSide - 1, last)];
}
