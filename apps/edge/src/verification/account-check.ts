import {
  decodeEncryptionResponse,
  encodeEncryptionRequest,
  encryptionResponsePacketId,
} from "@palisade/minecraft-protocol/java/encryption";
import type { Packet } from "./client-stage.ts";
import type { VerificationFault } from "./fault-reason.ts";
import type { PlayerLine } from "./player-line.ts";
import { createCipher } from "./premium-key.ts";
import type { PremiumProof } from "./premium-proof.ts";

interface Account {
  readonly protocol: number;
  readonly name: string;
}

/** A player shows that he has the account of his name, as a server would ask it of him. */
export class AccountCheck {
  readonly #premium: PremiumProof;
  readonly #account: Account;
  readonly #token: Buffer;
  readonly #gone = new AbortController();

  constructor(premium: PremiumProof, account: Account) {
    this.#premium = premium;
    this.#account = account;
    this.#token = premium.createToken();
  }

  get question(): Buffer {
    const request = { ...this.#premium.request, verifyToken: this.#token };
    return encodeEncryptionRequest(this.#account.protocol, request);
  }

  /** Encrypts the line where the answer is one. @returns the secret it was encrypted with */
  answered(line: PlayerLine, { id, bodyStart, bodyEnd }: Packet): Buffer | VerificationFault {
    if (id !== encryptionResponsePacketId) return "unexpected";
    const { protocol } = this.#account;
    const response = decodeEncryptionResponse(line.received, bodyStart, bodyEnd, protocol);
    if (!response.ok) return "malformed";
    // What follows would be encrypted already, and comes only after the next packet of ours.
    if (line.hasMore) return "unexpected";
    const { encryptedSecret, proof } = response;
    const secret = this.#premium.secretOf(encryptedSecret, proof, this.#token);
    if (secret === "busy") return "no-room";
    const cipher = secret && createCipher(secret);
    if (secret === undefined || cipher === undefined) return "encryption";
    line.encrypt(cipher);
    return secret;
  }

  /** Asks the session server. @returns the account's id; after `abort` it means nothing */
  async idOf(secret: Buffer): Promise<Buffer | VerificationFault> {
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
