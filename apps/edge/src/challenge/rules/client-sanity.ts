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
