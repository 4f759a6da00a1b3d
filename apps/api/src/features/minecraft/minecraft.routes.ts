import { routes } from "@palisade/contract/http/routes";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";

const versions = knownReleases.map(({ version }) => version);

/** The table changes with the program alone; an hour after an update every browser has the new one. */
const cachedSeconds = 3_600;

export function mountMinecraftRoutes(mount: Mount): void {
  mount(routes.minecraft.versions, async () => ({
    body: { releases: [...knownReleases], versions },
    headers: { "cache-control": `public, max-age=${cachedSeconds}` },
  }));
}
