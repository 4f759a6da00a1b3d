import { randomBytes } from "node:crypto";
import type { TokenProof } from "@palisade/minecraft-protocol/java/encryption";
import { serverHash } from "./hashes.ts";
import type { VerificationLimits } from "./rules/limits.ts";
import type { LoginKey } from "./login-encryption.ts";
import type { SessionAnswer, SessionServer } from "./session-server.ts";

/** As the game's own server asks. */
const serverId = "";
const tokenBytes = 4;

export interface AccountVerifierDeps {
  readonly key: LoginKey;
  readonly sessions: Pick<SessionServer, "isAvailable" | "hasJoined">;
  readonly limits: VerificationLimits;
  /** No clock that can be set. */
  readonly monotonicMs: () => number;
}

/** What a player with an account can show and nobody else: the session server knows of his join. */
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
   * The secret the player has encrypted.
   *
   * @returns undefined where the answer is none to this key and token; `busy` where there are too many
   */
  secretOf(encrypted: Buffer, proof: TokenProof, token: Buffer): Buffer | "busy" | undefined {
    const { key } = this.#deps;
    const parts = proof.kind === "token" ? [encrypted, proof.encryptedToken] : [encrypted];
    // What cannot be an answer takes none of the room that players share.
    if (parts.some(({ length }) => length !== key.encryptedBytes)) return undefined;
    if (!this.#takeDecryption()) return "busy";
    if (proof.kind === "token") {
      const echoed = key.decrypt(proof.encryptedToken);
      if (echoed === undefined || !echoed.equals(token)) return undefined;
    }
    // A signed token says no more here: only the account's owner can have joined under the secret.
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
