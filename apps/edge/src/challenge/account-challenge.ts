import {
  decodeEncryptionResponse,
  encodeEncryptionRequest,
  encryptionResponsePacketId,
  type TokenProof,
} from "@palisade/minecraft-protocol/java/encryption";
import type { Packet } from "./rules/client-packets.ts";
import type { VerificationFailure } from "./rules/verification-failure.ts";
import type { PacketStream, ConnectionCipher } from "./rules/packet-stream.ts";
import {
  randomBytes,
  constants,
  createCipheriv,
  createDecipheriv,
  generateKeyPair,
  type KeyObject,
  privateDecrypt,
} from "node:crypto";
import { serverHash } from "./server-hash.ts";
import type { VerificationLimits } from "./rules/limits.ts";
import type { SessionAnswer, SessionServer } from "./session-server.ts";
import { promisify } from "node:util";

interface Account {
  readonly protocol: number;
  readonly name: string;
}

/** Asks a player to confirm their account, as a server in online mode does. */
export class AccountChallenge {
  readonly #premium: AccountVerifier;
  readonly #account: Account;
  readonly #token: Buffer;
  readonly #gone = new AbortController();

  constructor(premium: AccountVerifier, account: Account) {
    this.#premium = premium;
    this.#account = account;
    this.#token = premium.createToken();
  }

  get request(): Buffer {
    const request = { ...this.#premium.request, verifyToken: this.#token };
    return encodeEncryptionRequest(this.#account.protocol, request);
  }

  /** Encrypts the connection if the answer is right. @returns the secret it was encrypted with */
  answered(stream: PacketStream, { id, bodyStart, bodyEnd }: Packet): Buffer | VerificationFailure {
    if (id !== encryptionResponsePacketId) return "unexpected";
    const { protocol } = this.#account;
    const response = decodeEncryptionResponse(stream.received, bodyStart, bodyEnd, protocol);
    if (!response.ok) return "malformed";
    // Bytes that follow would already be encrypted, and a client sends none before the edge's next
    // packet.
    if (stream.hasMore) return "unexpected";
    const { encryptedSecret, proof } = response;
    const secret = this.#premium.secretOf(encryptedSecret, proof, this.#token);
    if (secret === "busy") return "no-room";
    const cipher = secret && createCipher(secret);
    if (secret === undefined || cipher === undefined) return "encryption";
    stream.encrypt(cipher);
    return secret;
  }

  /** Asks the session server. @returns the account's id; after `abort` it means nothing */
  async idOf(secret: Buffer): Promise<Buffer | VerificationFailure> {
    const { name } = this.#account;
    const answer = await this.#premium.hasJoined(name, secret, this.#gone.signal);
    if (answer.kind === "unknown") return "not-premium";
    if (answer.kind !== "joined") return "session-server";
    const isHis = answer.name.toLowerCase() === name.toLowerCase();
    return isHis ? Buffer.from(answer.id, "hex") : "not-premium";
  }

  abort(): void {
    this.#gone.abort();
  }
}

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

/**
 * The key players encrypt to, made once per start. Sources: minecraft.wiki, "Java Edition
 * protocol/Encryption".
 */

/** The size every client expects. The key protects nothing but the check of the account. */
const modulusBits = 1_024;
const secretBytes = 16;

export interface LoginKey {
  /** DER, SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  /** Length of data encrypted to it. */
  readonly encryptedBytes: number;
  /** Undefined if the client has not encrypted to this key. Takes some 0.1 ms. */
  decrypt(encrypted: Uint8Array): Buffer | undefined;
}

/** Off the event loop's thread: the search for primes may take a tenth of a second. */
export async function createLoginKey(): Promise<LoginKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: modulusBits,
  });
  return {
    publicKey: publicKey.export({ type: "spki", format: "der" }),
    encryptedBytes: modulusBits / 8,
    decrypt: (encrypted) => decrypt(privateKey, encrypted),
  };
}

function decrypt(key: KeyObject, encrypted: Uint8Array): Buffer | undefined {
  if (encrypted.length !== modulusBits / 8) return undefined;
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, encrypted);
  } catch {
    return undefined;
  }
}

/** Undefined if the secret does not have the length of a key. */
export function createCipher(secret: Uint8Array): ConnectionCipher | undefined {
  if (secret.length !== secretBytes) return undefined;
  const cipher = createCipheriv("aes-128-cfb8", secret, secret);
  const decipher = createDecipheriv("aes-128-cfb8", secret, secret);
  return {
    encrypt: (bytes) => cipher.update(bytes),
    decrypt: (bytes) => decipher.update(bytes),
  };
}
