import { randomBytes } from "node:crypto";
import type { TokenProof } from "@palisade/minecraft-protocol/java/encryption";
import { serverHash } from "./hashes.ts";
import type { VerificationLimits } from "./rules/limits.ts";
import type { LoginKey } from "./login-encryption.ts";
import type { SessionAnswer, SessionServer } from "./session-server.ts";

/** The same value as the game's own server sends. */
const serverId = "";
const tokenBytes = 4;

export interface AccountVerifierDeps {
  readonly key: LoginKey;
  readonly sessions: Pick<SessionServer, "isAvailable" | "hasJoined">;
  readonly limits: VerificationLimits;
  /** No clock that can be set. */
  readonly monotonicMs: () => number;
}

/** Verifies accounts: only the owner of an account can make the session server confirm the join. */
export class AccountVerifier {
  readonly #deps: AccountVerifierDeps;
  #second = Number.NEGATIVE_INFINITY;
  #decryptions = 0;

  constructor(deps: AccountVerifierDeps) {
    this.#deps = deps;
  }

  get isAvailable(): boolean {
    return this.#deps.sessions.isAvailable;
  }

  get request() {
    return { serverId, publicKey: this.#deps.key.publicKey };
  }

  createToken(): Buffer {
    return randomBytes(tokenBytes);
  }

  /**
   * Decrypts the secret of the player.
   *
   * @returns undefined if it was not encrypted to this key and token; `busy` if there are too many
   */
  secretOf(encrypted: Buffer, proof: TokenProof, token: Buffer): Buffer | "busy" | undefined {
    const { key } = this.#deps;
    const parts = proof.kind === "token" ? [encrypted, proof.encryptedToken] : [encrypted];
    // Bytes that cannot be an answer do not use up the limit that players share.
    if (parts.some(({ length }) => length !== key.encryptedBytes)) return undefined;
    if (!this.#takeDecryption()) return "busy";
    if (proof.kind === "token") {
      const echoed = key.decrypt(proof.encryptedToken);
      if (echoed === undefined || !echoed.equals(token)) return undefined;
    }
    // A signed token adds nothing: only the account's owner can have joined with this secret.
    return key.decrypt(encrypted);
  }

  hasJoined(name: string, secret: Buffer, signal: AbortSignal): Promise<SessionAnswer> {
    const { sessions, key } = this.#deps;
    return sessions.hasJoined(name, serverHash(serverId, secret, key.publicKey), signal);
  }

  #takeDecryption(): boolean {
    const second = Math.floor(this.#deps.monotonicMs() / 1_000);
    if (second !== this.#second) this.#decryptions = 0;
    this.#second = second;
    return this.#decryptions++ < this.#deps.limits.decryptionsPerSecond;
  }
}
