import { textFromComponent } from "@palisade/minecraft-protocol/java/chat-text";
import { encodeLegacyStatus, type LegacyStatus } from "@palisade/minecraft-protocol/java/legacy";
import { readStatusResponse } from "@palisade/minecraft-protocol/java/status";

/** Clients before 1.7 show one line; two are put behind one another. */
const lines = { linesMax: 2, charactersMax: 255 };
const oneLine = { linesMax: 1, charactersMax: 64 };
const countMax = 0x7fff_ffff;

/** The parsed form of an answer that is sent again and again. */
const known = new WeakMap<Buffer, LegacyStatus>();

/**
 * A status answer in the form of a client before 1.7. Backends write what they like: whatever it
 * is, this does not throw.
 *
 * @param frame as a modern client would get it
 * @param protocol of a client that may join: it is shown the server as one of its own version
 */
export function legacyAnswer(frame: Buffer, protocol: number | undefined): Buffer {
  let status = known.get(frame);
  if (status === undefined) {
    status = legacyStatusOf(frame);
    known.set(frame, status);
  }
  const own = protocol === undefined ? {} : { protocol };
  return encodeLegacyStatus("ping-1.6", { ...status, ...own });
}

function legacyStatusOf(frame: Buffer): LegacyStatus {
  const result = readStatusResponse(frame);
  const status = result.kind === "status" ? asObject(JSON.parse(result.json)) : {};
  const players = asObject(status["players"]);
  const motd = textFromComponent(status["description"], lines);
  return {
    version: textFromComponent(asObject(status["version"])["name"], oneLine)[0] ?? "",
    motd: motd.filter((line) => line !== "").join("§r "),
    online: count(players["online"]),
    max: count(players["max"]),
  };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function count(value: unknown): number {
  if (typeof value !== "number" || Number.isNaN(value)) return 0;
  return Math.trunc(Math.max(0, Math.min(countMax, value)));
}
