/**
 * The text of a pong, which the server list shows: fields that end with `;`, in which `\;` is a
 * semicolon. Source: minecraft.wiki, "RakNet", Unconnected Pong.
 */
export interface Advertisement {
  /** `MCPE`, or `MCEE` of the education edition. */
  readonly edition: string;
  readonly motd: string;
  /** Version of the game's protocol, such as 766. */
  readonly protocol: number;
  readonly version: string;
  readonly online: number;
  readonly max: number;
  readonly guid: bigint;
  /** The second line; the game shows no server without one. */
  readonly subMotd: string;
  readonly gameMode: string;
  readonly gameModeId: number;
}

const fieldsMin = 6;
const fieldsMax = 16;

/** @returns undefined where the text is none of a Minecraft server */
export function readAdvertisement(text: string): Advertisement | undefined {
  const fields = splitFields(text);
  const [edition = "", motd = "", protocol, version = "", online, max, guid, subMotd, mode, id] =
    fields;
  if (fields.length < fieldsMin || (edition !== "MCPE" && edition !== "MCEE")) return undefined;
  return {
    edition,
    motd,
    protocol: wholeNumber(protocol),
    version,
    online: wholeNumber(online),
    max: wholeNumber(max),
    guid: readGuid(guid),
    subMotd: subMotd ?? "",
    gameMode: mode ?? "",
    gameModeId: wholeNumber(id),
  };
}

function splitFields(text: string): string[] {
  const fields = [""];
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === ";") {
      if (fields.length === fieldsMax) break;
      fields.push("");
    } else {
      const isEscape = character === "\\" && index + 1 < text.length;
      if (isEscape) index += 1;
      fields[fields.length - 1] += isEscape ? text.charAt(index) : character;
    }
  }
  return fields;
}

function wholeNumber(text: string | undefined): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

function readGuid(text: string | undefined): bigint {
  return text !== undefined && /^-?\d{1,20}$/.test(text) ? BigInt.asUintN(64, BigInt(text)) : 0n;
}

/**
 * The advertisement as bytes of UTF-8. A list that is full cannot be chosen in the game, so `online`
 * stays below `max`.
 *
 * @param ports undefined leaves out all that a client can do without
 * @param bytesMax the lines are cut where the whole would be longer, then the other texts; at least 64
 */
export function encodeAdvertisement(
  advertisement: Advertisement,
  ports: { readonly ipv4: number; readonly ipv6: number } | undefined,
  bytesMax: number,
): Buffer {
  const max = Math.max(advertisement.max, advertisement.online + 1);
  const { motd, subMotd, version, gameMode } = advertisement;
  const texts = { motd, subMotd, version, gameMode };
  const whole = (): Buffer =>
    Buffer.from(
      [
        advertisement.edition,
        escapeField(texts.motd),
        advertisement.protocol,
        escapeField(texts.version),
        advertisement.online,
        max,
        advertisement.guid,
        escapeField(texts.subMotd === "" ? "Minecraft" : texts.subMotd),
        ...(ports === undefined
          ? []
          : [escapeField(texts.gameMode), advertisement.gameModeId, ports.ipv4, ports.ipv6]),
        "",
      ].join(";"),
    );
  for (let bytes = whole(); ; bytes = whole()) {
    const over = bytes.length - bytesMax;
    const name = longestOf(texts);
    if (over <= 0 || texts[name] === "") return bytes;
    // A character has three bytes at most for one of its units, and one more if it is escaped.
    texts[name] = withoutEnd(texts[name], Math.max(1, Math.ceil(over / 4)));
  }
}

type Texts = Record<"motd" | "subMotd" | "version" | "gameMode", string>;

/** The text to be cut next: lines of the owner's first, if there are any. */
function longestOf({ motd, subMotd, version, gameMode }: Texts): keyof Texts {
  if (motd !== "" || subMotd !== "") return subMotd.length > motd.length ? "subMotd" : "motd";
  return gameMode.length > version.length ? "gameMode" : "version";
}

/** Never half a character of two units. */
function withoutEnd(text: string, units: number): string {
  const kept = text.slice(0, Math.max(0, text.length - units));
  return /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept;
}

function escapeField(text: string): string {
  return text.replaceAll(/[\\;]/g, "\\$&").replaceAll(/[\0\n\r]/g, " ");
}
