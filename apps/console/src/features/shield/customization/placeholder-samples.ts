import { newestRelease } from "@palisade/minecraft-protocol/java/versions";

/** Sample values for placeholders in a preview; only the edge knows the real values. */
const samples: Readonly<Record<string, string>> = {
  "{player}": "Steve",
  "{seconds}": "5",
  "{min_version}": "1.8",
  "{max_version}": newestRelease,
  "{trace}": "7K3M9QXD",
};

/** @param discord the operator's invitation; null empties its placeholder */
export function fillPlaceholders(text: string, discord: string | null): string {
  return text.replace(/\{[a-z_]+\}/g, (name) =>
    name === "{discord}" ? (discord ?? "") : (samples[name] ?? name),
  );
}
