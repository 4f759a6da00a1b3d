import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";

/** Logins for tests, signed by keys of their own that take the places of Mojang's and the player's. */

interface SampleKey {
  readonly privateKey: KeyObject;
  /** As the game writes a public key. */
  readonly text: string;
}

export function sampleKey(): SampleKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "secp384r1" });
  const der = publicKey.export({ format: "der", type: "spki" });
  return { privateKey, text: der.toString("base64") };
}

function encodePart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** A token that the key signs and names as its own. */
export function signToken(claims: object, { privateKey, text }: SampleKey): string {
  const signed = `${encodePart({ alg: "ES384", x5u: text })}.${encodePart(claims)}`;
  const key = { key: privateKey, dsaEncoding: "ieee-p1363" } as const;
  return `${signed}.${sign("sha384", Buffer.from(signed), key).toString("base64url")}`;
}

/** A token as the OpenID service signs it. */
export function signServiceToken(claims: object, kid: string, privateKey: KeyObject): string {
  const signed = `${encodePart({ alg: "RS256", typ: "JWT", kid })}.${encodePart(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

interface SamplePlayer {
  readonly displayName: string;
  readonly xuid: string;
}

export interface SampleKeys {
  readonly player: SampleKey;
  readonly root: SampleKey;
  readonly authority: SampleKey;
}

export function sampleKeys(): SampleKeys {
  return { player: sampleKey(), root: sampleKey(), authority: sampleKey() };
}

/** The chain of a player with an Xbox account; valid for an hour around `now`. */
export function sampleChain(
  { displayName, xuid }: SamplePlayer,
  { player, root, authority }: SampleKeys,
  now: Date,
): readonly [own: string, authority: string, player: string] {
  const second = Math.floor(now.getTime() / 1_000);
  const times = { nbf: second - 1_800, exp: second + 1_800, iat: second - 1_800, iss: "Mojang" };
  const identity = "11111111-2222-3333-4444-555555555555";
  return [
    signToken({ certificateAuthority: true, identityPublicKey: root.text }, player),
    signToken({ ...times, certificateAuthority: true, identityPublicKey: authority.text }, root),
    signToken(
      {
        ...times,
        extraData: { displayName, XUID: xuid, identity, titleId: "896928775" },
        identityPublicKey: player.text,
      },
      authority,
    ),
  ];
}
