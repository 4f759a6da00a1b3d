import {
  decodeEncryptionResponse,
  encodeEncryptionRequest,
  encryptionResponsePacketId,
} from "@palisade/minecraft-protocol/java/encryption";
import type { Packet } from "./rules/client-state.ts";
import type { VerificationFailure } from "./rules/verification-failure.ts";
import type { PacketStream } from "./rules/packet-stream.ts";
import { createCipher } from "./login-encryption.ts";
import type { AccountVerifier } from "./account-verifier.ts";

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
