import type { Signals } from "@palisade/login-rules/login-attempt";
import { noSignals, signalOf } from "@palisade/login-rules/suspicion";
import type { ClientInformation } from "@palisade/minecraft-protocol/java/client-information";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";

/**
 * Values that real games send right after the login, as far as all versions and mods agree about
 * them. Their order fails no player, because mods add packets of their own: it counts as a signal.
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

const brandMismatch = signalOf("brand_mismatch");
const settingsOrder = signalOf("settings_order");

/** The client as it has shown itself before its login. */
export interface ShownClient {
  readonly protocol: number;
  /** Its handshake has the marker of Forge. */
  readonly forge?: boolean | undefined;
}

/** Whether a client cannot have the brand: a mod loader has one of its own, in the versions it is made for. */
export function isImpossibleBrand(name: string, { protocol, forge }: ShownClient): boolean {
  if (name === "vanilla") return forge === true;
  if (name === "fml,forge") return atLeast(protocol, "1.13");
  return name === "neoforge" && !atLeast(protocol, "1.20");
}

export type SettingsPacket =
  | { readonly kind: "client-information"; readonly information: ClientInformation }
  | { readonly kind: "brand"; readonly brand: string };

/** The settings and the brand that a client has told. */
export class ClientSettings {
  readonly #isStrict: boolean;
  readonly #client: ShownClient;
  /** Signals in the settings and the brand. */
  signals: Signals = noSignals;
  #hasBrand = false;
  #language: "en" | "ru" | undefined;

  /** @param isStrict they must come, where the game sends them by itself, and make sense */
  constructor(isStrict: boolean, client: ShownClient) {
    this.#isStrict = isStrict;
    this.#client = client;
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
    this.#weigh(packet);
    if (isBrand) this.#hasBrand = true;
    else this.#language = /^ru/i.test(packet.information.locale) ? "ru" : "en";
    return true;
  }

  /**
   * From 1.20.2 on a game tells its brand, then its settings, before it answers anything. Before, it does
   * so as it enters a world, and versions differ in the order.
   */
  answered(): void {
    if (!this.#hasBrand || this.#language === undefined) this.signals |= settingsOrder;
  }

  #weigh(packet: SettingsPacket): void {
    if (packet.kind === "brand") {
      if (isImpossibleBrand(packet.brand, this.#client)) this.signals |= brandMismatch;
    } else if (!this.#hasBrand && atLeast(this.#client.protocol, "1.20.2")) {
      this.signals |= settingsOrder;
    }
  }

  /** Whether they are missing where they must have come by now. */
  get areMissing(): boolean {
    return this.#isStrict && !(this.#hasBrand && this.#language !== undefined);
  }
}
