import type { TsigKey } from "#src/wire/tsig.ts";

/**
 * A change of nsupdate 9.18 and BIND's answers to it, as they went over TCP (without the length):
 * delete A and AAAA of `abcdefghijkl.gs.test`, add one of each.
 */
export const recordedKey: TsigKey = {
  name: "palisade-export",
  secret: Buffer.from("a secret of 32 bytes for testing"),
};

export const recordedRequest = Buffer.from(
  "9ead28000001000000040001026773047465737400000600010c6162636465666768696a6b6cc00c000100ff000000000000c019001c00ff000000000000c019000100010000001e0004cb007101c019001c00010000001e001020010db80000000000000000000000010f70616c69736164652d6578706f72740000fa00ff00000000003d0b686d61632d7368613235360000006b01e654012c00201f2b98241bcf2cc856d4806858a037b6821aafbe41ee1c9210dae7fd69b765849ead00000000",
  "hex",
);

/** Signed; the key's name in it is of the server's own spelling. */
export const recordedAnswer = Buffer.from(
  "9eada8000001000000000001026773047465737400000600010f70616c69736164652d6578706f72740000fa00ff00000000003d0b686d61632d7368613235360000006b01e654012c0020e145d2188dd61b986f06634dd21f836c1156dcf4772122b214d02963fd485bb29ead00000000",
  "hex",
);

/** To a request signed with another secret. */
export const recordedBadSignature = Buffer.from(
  "018ea8090001000000000001026773047465737400000600010f70616c69736164652d6578706f72740000fa00ff00000000001d0b686d61632d7368613235360000006b01e654012c0000018e00100000",
  "hex",
);

/** To a request signed with a key the server does not have. */
export const recordedBadKey = Buffer.from(
  "3f44a809000100000000000102677304746573740000060001056f746865720000fa00ff00000000001d0b686d61632d7368613235360000006b01e654012c00003f4400110000",
  "hex",
);

export const recordedId = 0x9ead;
export const recordedAtSeconds = 0x6b01e654;
