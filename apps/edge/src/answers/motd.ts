import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import { encodeStatusResponse } from "@palisade/minecraft-protocol/java/status";

/** No client has it, so each shows `version` in place of the player count. */
const unreachableProtocol = -1;

/** A status answer of the edge's own making, ready to be written. */
export function encodeMotd(version: string, lines: readonly string[]): Buffer {
  return encodeStatusResponse(
    JSON.stringify({
      version: { name: version, protocol: unreachableProtocol },
      players: { max: 0, online: 0 },
      description: componentFromText(lines.join("\n")),
    }),
  );
}
