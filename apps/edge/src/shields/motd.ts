import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import {
  encodeStatusResponse,
  statusCharactersMax,
} from "@palisade/minecraft-protocol/java/status";

export interface MotdText {
  /** In place of the player count. */
  readonly version: string;
  readonly lines: readonly string[];
}

export interface MotdInput extends MotdText {
  /** Over the player count, in place of players' names; "" for nothing. */
  readonly hover?: string;
  /** Data URI of a PNG of 64x64 pixels. */
  readonly icon?: string | null;
}

/** A status answer of the edge's own making. */
export interface Motd {
  /** Ready to be written; made once, when it is first asked for. */
  readonly frame: Buffer;
}

/** No client has it, so each shows `version` in place of the player count. */
const unreachableProtocol = -1;
/** Names that a client shows one below the other; more would run off its screen. */
const hoverLinesMax = 32;
/** No player: the client needs an id beside each name. */
const noPlayerId = "00000000-0000-0000-0000-000000000000";

export function createMotd(facts: MotdInput): Motd {
  let frame: Buffer | undefined;
  return {
    get frame() {
      return (frame ??= encodeMotd(facts));
    },
  };
}

/** A client refuses a longer one as a whole: then first the icon goes, then names and colours. */
function encodeMotd(facts: MotdInput): Buffer {
  const text = facts.lines.map(printable).join("\n");
  for (const candidate of [facts, { ...facts, icon: null }]) {
    const json = motdJson(candidate, componentFromText(text));
    if (json.length <= statusCharactersMax) return encodeStatusResponse(json);
  }
  const plain = { ...facts, version: facts.version.slice(0, 128), icon: null, hover: "" };
  return encodeStatusResponse(motdJson(plain, { text: text.slice(0, 2_048) }));
}

/** Without control characters: JSON makes six of each, and no client shows them. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, "");
}

function motdJson({ version, hover = "", icon }: MotdInput, description: object): string {
  const names = hover === "" ? [] : hover.split("\n").slice(0, hoverLinesMax);
  const sample = names.map((name) => ({ name: printable(name), id: noPlayerId }));
  return JSON.stringify({
    version: { name: printable(version), protocol: unreachableProtocol },
    players: { max: 0, online: 0, ...(sample.length === 0 ? {} : { sample }) },
    description,
    ...(icon === undefined || icon === null ? {} : { favicon: icon }),
  });
}
