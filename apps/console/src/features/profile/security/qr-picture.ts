import { blobUrlOf } from "#src/lib/data-uri.ts";

const svg = /^data:image\/svg\+xml(?:;charset=utf-?8)?(;base64)?,(.+)$/is;

/**
 * A blob URL of the QR code, which the caller must revoke; null if `uri` is not a picture. Scripts in
 * an SVG do not run when it is the source of an image.
 */
export function qrPictureUrl(uri: string): string | null {
  const [, isBase64, content] = svg.exec(uri) ?? [];
  if (content === undefined) return blobUrlOf(uri);
  try {
    const text = isBase64 === undefined ? decodeURIComponent(content) : atob(content);
    return URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  } catch {
    return null;
  }
}
