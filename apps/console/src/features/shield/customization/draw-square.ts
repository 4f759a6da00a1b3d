import { offlineImagePixels } from "@palisade/contract/http/server-messages";
import type { Square } from "./crop.ts";

/** Fills the canvas with a square of the picture; small pictures keep their hard edges. */
export function drawSquare(
  canvas: HTMLCanvasElement,
  picture: ImageBitmap,
  { left, top, side }: Square,
): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  context.imageSmoothingEnabled = side > offlineImagePixels;
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, left, top, side, side, 0, 0, width, height);
}

/** The square as the game takes it: a data URI of a PNG of 64x64 pixels. */
export function pngOf(picture: ImageBitmap, square: Square): string {
  const canvas = document.createElement("canvas");
  canvas.width = offlineImagePixels;
  canvas.height = offlineImagePixels;
  drawSquare(canvas, picture, square);
  return canvas.toDataURL("image/png");
}
