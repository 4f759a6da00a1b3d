import { knownReleases } from "@palisade/minecraft-protocol/java/versions";

/** `1.20.3-1.20.4` if several releases share the protocol number. */
const versions = new Map<number, string>();
for (const { protocol, version } of knownReleases) {
  const [first] = versions.get(protocol)?.split("-") ?? [];
  versions.set(protocol, first === undefined ? version : `${first}-${version}`);
}

/** Versions of Minecraft by the client's protocol number; null for an unknown one. */
export function versionOfProtocol(protocol: number): string | null {
  return versions.get(protocol) ?? null;
}
