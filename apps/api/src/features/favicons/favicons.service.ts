import { hash } from "node:crypto";
import { faviconPrefix, isFavicon } from "@palisade/contract/edge/favicon";
import type { BackendFavicon } from "@palisade/contract/edge/telemetry";
import type { Trx } from "#src/platform/database/db.ts";
import { replaceFavicons, type ReportedFavicon } from "./favicons.repository.ts";

export { faviconFingerprint, faviconPng } from "./favicons.repository.ts";

const fingerprintCharacters = 32;

/**
 * Stores the icons that an edge has seen, of shields that it serves. A backend's bytes are trusted
 * by no part of the product: what is no PNG of the game's size is stored as no icon.
 */
export async function recordFavicons(trx: Trx, reported: readonly BackendFavicon[]): Promise<void> {
  if (reported.length === 0) return;
  const newest = new Map(reported.map((one) => [one.backend_id, one]));
  await replaceFavicons(trx, [...newest.values()].map(checked));
}

function checked({ shield_id, backend_id, favicon }: BackendFavicon): ReportedFavicon {
  const png = Buffer.from(favicon?.slice(faviconPrefix.length) ?? "", "base64");
  if (!isFavicon(png)) return { shield_id, backend_id, png: null, fingerprint: null };
  const fingerprint = hash("sha256", png, "hex").slice(0, fingerprintCharacters);
  return { shield_id, backend_id, png, fingerprint };
}
