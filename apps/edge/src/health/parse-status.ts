import { faviconPrefix, isFavicon } from "@palisade/contract/edge/favicon";
import type { ProbeAttempt } from "@palisade/contract/edge/probe";
import { textFromComponent } from "@palisade/minecraft-protocol/java/chat-text";

type ProbeStatus = NonNullable<ProbeAttempt["status"]>;

const motdLimits = { linesMax: 2, charactersMax: 512 };
const versionLimits = { linesMax: 1, charactersMax: 128 };
const integerMax = 0x7fff_ffff;

/**
 * Reads a server's status JSON, whatever it holds, into parsed, printable and bounded values. Never
 * throws.
 *
 * @returns undefined if it is no Minecraft status
 */
export function parseStatus(json: string): ProbeStatus | undefined {
  const status = parseObject(json);
  if (!["version", "description", "players"].some((key) => Object.hasOwn(status, key))) {
    return undefined;
  }
  const version = asObject(status["version"]);
  const players = asObject(status["players"]);
  return {
    motd: textFromComponent(status["description"], motdLimits),
    version: textFromComponent(version["name"], versionLimits)[0] ?? "",
    protocol: integer(version["protocol"], -1),
    players_online: integer(players["online"], 0),
    players_max: integer(players["max"], 0),
    favicon: favicon(status["favicon"]),
  };
}

function parseObject(json: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(json));
  } catch {
    return {};
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function integer(value: unknown, otherwise: number): number {
  if (typeof value !== "number" || !Number.isFinite(value)) return otherwise;
  return Math.max(-integerMax - 1, Math.min(integerMax, Math.trunc(value)));
}

/** Encoded again from the bytes: the result is a picture of the right size or nothing. */
function favicon(value: unknown): string | null {
  if (typeof value !== "string" || !value.startsWith(faviconPrefix)) return null;
  const png = Buffer.from(value.slice(faviconPrefix.length), "base64");
  return isFavicon(png) ? faviconPrefix + png.toString("base64") : null;
}
