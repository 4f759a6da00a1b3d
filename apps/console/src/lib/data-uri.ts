/**
 * A blob URL of a base64 PNG, which the caller revokes; null for anything else.
 */
export function blobUrlOf(uri: string): string | null {
  const encoded = /^data:image\/png;base64,([A-Za-z0-9+/=]+)$/.exec(uri)?.[1];
  if (encoded === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.codePointAt(0) ?? 0);
    return URL.createObjectURL(new Blob([bytes], { type: "image/png" }));
  } catch {
    return null;
  }
}
