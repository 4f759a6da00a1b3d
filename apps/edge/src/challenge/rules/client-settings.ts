import type { ClientInformation } from "@palisade/minecraft-protocol/java/client-information";

/**
 * Values that real games send right after the login, as far as all versions and mods agree about
 * them. Their order is not checked: mods add packets of their own.
 */

/** `en_us`, `lol_us`, `zlm_arab`; packs of one's own have others of this form. */
const locale = /^[A-Za-z0-9_-]{2,16}$/;
const brand = /^[\x20-\x7e]{1,128}$/;
const viewDistanceMin = 2;
const chatModeMax = 2;
const mainHandMax = 1;

export function isSaneInformation(information: ClientInformation): boolean {
  const { viewDistance, chatMode, mainHand = 0 } = information;
  return (
    locale.test(information.locale) &&
    viewDistance >= viewDistanceMin &&
    chatMode >= 0 &&
    chatMode <= chatModeMax &&
    mainHand >= 0 &&
    mainHand <= mainHandMax
  );
}

export function isSaneBrand(name: string): boolean {
  return brand.test(name);
}

export type SettingsPacket =
  | { readonly kind: "client-information"; readonly information: ClientInformation }
  | { readonly kind: "brand"; readonly brand: string };

/** The settings and the brand that a client has told. */
export class ClientSettings {
  readonly #isStrict: boolean;
  #hasBrand = false;
  #language: "en" | "ru" | undefined;

  /** @param isStrict they must come, where the game sends them by itself, and make sense */
  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  /** The language of the player's game; undefined until it is told. */
  get language(): "en" | "ru" | undefined {
    return this.#language;
  }

  /** @returns false if they do not make sense */
  take(packet: SettingsPacket): boolean {
    const isBrand = packet.kind === "brand";
    const isSane = isBrand ? isSaneBrand(packet.brand) : isSaneInformation(packet.information);
    if (this.#isStrict && !isSane) return false;
    if (isBrand) this.#hasBrand = true;
    else this.#language = /^ru/i.test(packet.information.locale) ? "ru" : "en";
    return true;
  }

  /** Whether they are missing where they must have come by now. */
  get areMissing(): boolean {
    return this.#isStrict && !(this.#hasBrand && this.#language !== undefined);
  }
}
