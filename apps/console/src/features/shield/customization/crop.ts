export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The visible part of a picture. Positions go from 0 to 1; the zoom starts at 1. */
export interface Framing {
  readonly zoom: number;
  readonly across: number;
  readonly down: number;
}

export const centred: Framing = { zoom: 1, across: 0.5, down: 0.5 };
export const zoomMax = 8;

export interface Square {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** The square of the picture that the framing shows, always within it. */
export function squareOf({ width, height }: Size, { zoom, across, down }: Framing): Square {
  const side = Math.max(1, Math.min(width, height) / within(zoom, 1, zoomMax));
  return {
    left: within(across, 0, 1) * (width - side),
    top: within(down, 0, 1) * (height - side),
    side,
  };
}

/** The framing after a drag, given as a share of the square's side. */
export function pulled(size: Size, framing: Framing, by: { x: number; y: number }): Framing {
  const { side } = squareOf(size, framing);
  const moved = (at: number, length: number, share: number) =>
    length > side ? within(at - (share * side) / (length - side), 0, 1) : at;
  return {
    zoom: framing.zoom,
    across: moved(framing.across, size.width, by.x),
    down: moved(framing.down, size.height, by.y),
  };
}

function within(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
