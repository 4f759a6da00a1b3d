import { createPublicKey, verify, type JsonWebKey, type KeyObject } from "node:crypto";
import {
  isObject,
  readToken,
  textOf,
  type JsonWebToken,
} from "@palisade/minecraft-protocol/bedrock/login/json-web-token";
import {
  readExtraData,
  readTokenClaims,
  type PlayerClaims,
  type PlayerLogin,
} from "@palisade/minecraft-protocol/bedrock/login/player-login";

/**
 * Checks that a trusted key has signed who a player is. Source: minecraft.wiki, "Bedrock Edition
 * protocol", Login; the token's form is that of OpenID (RFC 7519 and 7517).
 */

/** The public key with which Mojang signs, base64 of SubjectPublicKeyInfo. */
export const mojangRootKey =
  "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAECRXueJeTDqNRRgJi/vlRufByu/2G0i2Ebt6YMar5QX/R0DIIyrJMcUpruK4QveTfJSTp3Shlq4Gk34cD/4GUWwkv0DVuzeuB+tXija7HBxii03NHDbPAD0AKnLr2wdAp";

export interface LoginKeys {
  /** Keys that may sign chains, in the form of `mojangRootKey`. */
  readonly rootKeys: readonly string[];
  /** The game's OpenID service; undefined: its tokens cannot be checked. */
  readonly service: OpenIdService | undefined;
}

export interface OpenIdService {
  /** As the service's `iss`; a slash at the end makes no difference. */
  readonly issuer: string;
  /** Keys that it publishes, with `kid`. */
  readonly keys: readonly JsonWebKey[];
}

export const defaultLoginKeys: LoginKeys = { rootKeys: [mojangRootKey], service: undefined };

type InvalidLogin =
  | "malformed"
  | "wrong-length"
  | "bad-signature"
  | "untrusted-key"
  | "expired"
  | "not-yet-valid"
  | "wrong-audience"
  | "no-player";

export type LoginCheck =
  /** A trusted key has signed for an Xbox account. */
  | { readonly kind: "valid"; readonly xuid: string; readonly displayName: string }
  /** The player has signed for themselves. */
  | { readonly kind: "offline" }
  /** The login has only a token of the OpenID service, whose keys are not known. */
  | { readonly kind: "unknown" }
  | { readonly kind: "invalid"; readonly why: InvalidLogin };

const audience = "api://auth-minecraft-services/multiplayer";
const curve = "secp384r1";
/** Clocks may differ by this. */
const leewaySeconds = 60;

/**
 * Takes one to two milliseconds of the processor for each token. Does not say that the client holds the
 * player's private key: only the backend's encryption asks for that, so a chain that was copied from a
 * real login passes until it expires.
 */
export function checkLogin(
  { chain, token }: Pick<PlayerLogin, "chain" | "token">,
  now: Date,
  keys: LoginKeys = defaultLoginKeys,
): LoginCheck {
  const second = now.getTime() / 1_000;
  if (token !== "") {
    const read = readToken(token);
    if (read === undefined) return invalid("malformed");
    if (read.header["x5u"] !== undefined) return checkSelfSigned(read);
    if (keys.service !== undefined) return checkServiceToken(read, keys.service, second);
    if (chain.length === 0) return { kind: "unknown" };
  }
  return checkChain(chain, keys.rootKeys, second);
}

function checkChain(
  chain: readonly string[],
  rootKeys: readonly string[],
  second: number,
): LoginCheck {
  // A fourth token could be signed by the player themselves, whose key the third one names.
  if (chain.length !== 1 && chain.length !== 3) return invalid("wrong-length");
  const [own, authority, player] = chain.map(readToken);
  if (own === undefined) return invalid("malformed");
  if (chain.length === 1) return checkSelfSigned(own);
  if (authority === undefined || player === undefined) return invalid("malformed");
  const rootKey = rootKeys.find((key) => isSameKey(key, own.claims["identityPublicKey"]));
  const hasAuthority = authority.claims["certificateAuthority"] === true;
  if (rootKey === undefined || !hasAuthority) return invalid("untrusted-key");
  // The times of the own token are those of the player's clock and prove nothing.
  const outOfTime = timeFault(authority, second) ?? timeFault(player, second);
  if (outOfTime !== undefined) return invalid(outOfTime);
  // Signatures come last since they cost the most, and the one that is hardest to forge first.
  const isSigned =
    isSignedBy(authority, publicKey(rootKey)) &&
    isSignedBy(player, publicKey(authority.claims["identityPublicKey"])) &&
    isSignedBy(own, publicKey(own.header["x5u"]));
  if (!isSigned) return invalid("bad-signature");
  const extra = player.claims["extraData"];
  return validPlayer(isObject(extra) ? readExtraData(extra) : undefined);
}

function checkSelfSigned(token: JsonWebToken): LoginCheck {
  const key = publicKey(token.header["x5u"]);
  return isSignedBy(token, key) ? { kind: "offline" } : invalid("bad-signature");
}

function checkServiceToken(
  token: JsonWebToken,
  service: OpenIdService,
  second: number,
): LoginCheck {
  const kid = textOf(token.header["kid"]);
  const key = service.keys.find((each) => kid !== "" && each["kid"] === kid);
  if (key === undefined || token.header["alg"] !== "RS256") return invalid("untrusted-key");
  if (!isSignedByService(token, key)) return invalid("bad-signature");
  const outOfTime = timeFault(token, second);
  if (outOfTime !== undefined) return invalid(outOfTime);
  if (withoutSlash(textOf(token.claims["iss"])) !== withoutSlash(service.issuer)) {
    return invalid("untrusted-key");
  }
  if (token.claims["aud"] !== audience) return invalid("wrong-audience");
  return validPlayer(readTokenClaims(token.claims));
}

function withoutSlash(issuer: string): string {
  return issuer.endsWith("/") ? issuer.slice(0, -1) : issuer;
}

function isSignedByService({ signed, signature }: JsonWebToken, jwk: JsonWebKey): boolean {
  try {
    const key = createPublicKey({ key: jwk, format: "jwk" });
    return key.asymmetricKeyType === "rsa" && verify("sha256", signed, key, signature);
  } catch {
    return false;
  }
}

/** ES384: the signature is two numbers of 48 bytes (RFC 7518, section 3.4). */
function isSignedBy(
  { header, signed, signature }: JsonWebToken,
  key: KeyObject | undefined,
): boolean {
  if (key === undefined || header["alg"] !== "ES384") return false;
  try {
    return verify("sha384", signed, { key, dsaEncoding: "ieee-p1363" }, signature);
  } catch {
    return false;
  }
}

/** @returns undefined where the value is no key of the curve that the game uses */
function publicKey(value: unknown): KeyObject | undefined {
  try {
    const bytes = Buffer.from(textOf(value), "base64");
    const key = createPublicKey({ key: bytes, format: "der", type: "spki" });
    return key.asymmetricKeyDetails?.namedCurve === curve ? key : undefined;
  } catch {
    return undefined;
  }
}

function isSameKey(trusted: string, key: unknown): boolean {
  return Buffer.from(trusted, "base64").equals(Buffer.from(textOf(key), "base64"));
}

function timeFault({ claims }: JsonWebToken, second: number): InvalidLogin | undefined {
  const { exp, nbf = 0 } = claims;
  if (typeof exp !== "number" || exp + leewaySeconds < second) return "expired";
  return typeof nbf === "number" && nbf - leewaySeconds <= second ? undefined : "not-yet-valid";
}

function validPlayer(player: PlayerClaims | undefined): LoginCheck {
  if (player === undefined || player.xuid === "") return invalid("no-player");
  return { kind: "valid", xuid: player.xuid, displayName: player.displayName };
}

function invalid(why: InvalidLogin): LoginCheck {
  return { kind: "invalid", why };
}
