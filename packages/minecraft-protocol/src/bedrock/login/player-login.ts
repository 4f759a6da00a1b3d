import type { LoginPacket } from "../game-packets.ts";
import { isObject, readJsonObject, readToken, textOf } from "./json-web-token.ts";

/**
 * A player as the client introduces itself. Names and ids are claims: only `checkLogin` says whether a
 * trusted key has signed them.
 */
export interface PlayerLogin {
  readonly protocol: number;
  readonly displayName: string;
  /** Number of the Xbox account; "" for a player without one. */
  readonly xuid: string;
  /** UUID of the player; "" where the client leaves it to the server. */
  readonly identity: string;
  /** Tokens of which each names the key that signs the next one. */
  readonly chain: readonly string[];
  /** Token of the game's OpenID service, which clients from 1.21.90 on have; "" where there is none. */
  readonly token: string;
}

/** Real chains have one token or three. */
const chainMax = 4;
const displayNameMax = 64;

/** @returns undefined where the login names no player */
export function readPlayerLogin({ protocol, identity }: LoginPacket): PlayerLogin | undefined {
  const envelope = readJsonObject(identity);
  if (envelope === undefined) return undefined;
  // From 1.21.90 on the chain is JSON within a text of the JSON.
  const certificate = textOf(envelope["Certificate"]);
  const holder = certificate === "" ? envelope : readJsonObject(certificate);
  const chain = readChain(holder?.["chain"]);
  const token = textOf(envelope["Token"]);
  if (chain === undefined) return undefined;
  const player = claimsOfChain(chain) ?? claimsOfToken(token);
  if (player === undefined) return undefined;
  return { protocol, ...player, chain, token };
}

function readChain(value: unknown): readonly string[] | undefined {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > chainMax) return undefined;
  // A client with a token of the OpenID service may leave the chain's place empty.
  const chain = value.map(textOf).filter((token) => token !== "");
  return chain;
}

export type PlayerClaims = Pick<PlayerLogin, "displayName" | "xuid" | "identity">;

function claimsOfChain(chain: readonly string[]): PlayerClaims | undefined {
  const extra = readToken(chain.at(-1) ?? "")?.claims["extraData"];
  return isObject(extra) ? readExtraData(extra) : undefined;
}

/** The player in a chain's last token. */
export function readExtraData(extra: Readonly<Record<string, unknown>>): PlayerClaims | undefined {
  return playerClaims(extra["displayName"], extra["XUID"], extra["identity"]);
}

function claimsOfToken(token: string): PlayerClaims | undefined {
  const claims = readToken(token)?.claims;
  return claims === undefined ? undefined : readTokenClaims(claims);
}

/** The player in a token of the OpenID service. */
export function readTokenClaims(
  claims: Readonly<Record<string, unknown>>,
): PlayerClaims | undefined {
  return playerClaims(claims["xname"], claims["xid"], claims["identity"]);
}

function playerClaims(name: unknown, xuid: unknown, identity: unknown): PlayerClaims | undefined {
  const displayName = textOf(name);
  if (displayName === "" || displayName.length > displayNameMax) return undefined;
  const number = textOf(xuid);
  return {
    displayName,
    xuid: /^[1-9]\d{0,19}$/.test(number) ? number : "",
    identity: textOf(identity).slice(0, 36),
  };
}
