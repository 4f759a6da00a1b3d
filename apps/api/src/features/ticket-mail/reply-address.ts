import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKeys, type Secrets } from "#src/platform/security/derived-key.ts";

/** The address of the support, and one for the answers to each ticket: `support+1001.<signature>@…`. */
export interface ReplyAddresses {
  of(ticket: SignedTicket): string;
  /** The ticket's number that an address of ours names, signed or not; null for any other address. */
  numberIn(address: string): number | null;
  isSigned(address: string, ticket: SignedTicket): boolean;
}

export interface SignedTicket {
  readonly id: string;
  readonly number: number;
  /** A ticket that changed its owner has another address. */
  readonly userId: string;
}

/** 80 bits: no one guesses them through a mail server. Some servers allow 64 bytes before the @. */
const signatureCharacters = 16;
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** @param supportMail a plain address, `support@example.com` */
export function createReplyAddresses(supportMail: string, secrets: Secrets): ReplyAddresses {
  const [current, ...former] = deriveKeys(secrets, "ticket-reply-addresses");
  const at = supportMail.lastIndexOf("@");
  const local = supportMail.slice(0, at).toLowerCase();
  const domain = supportMail.slice(at + 1).toLowerCase();
  const parts = (address: string) => {
    const lower = address.toLowerCase();
    if (!lower.startsWith(`${local}+`) || !lower.endsWith(`@${domain}`)) return null;
    const match = /^(\d{1,15})\.([a-z2-7]{16})$/.exec(
      lower.slice(local.length + 1, -(domain.length + 1)),
    );
    return match === null ? null : { number: Number(match[1]), signature: match[2] ?? "" };
  };
  return {
    of: (ticket) => `${local}+${ticket.number}.${sign(current, ticket)}@${domain}`,
    numberIn: (address) => parts(address)?.number ?? null,
    isSigned(address, ticket) {
      const read = parts(address);
      if (read === null || read.number !== ticket.number) return false;
      const given = Buffer.from(read.signature);
      return [current, ...former].some((key) =>
        timingSafeEqual(given, Buffer.from(sign(key, ticket))),
      );
    },
  };
}

/** Lower case, because some programs change the case of addresses. */
function sign(key: Buffer, { id, number, userId }: SignedTicket): string {
  const digest = createHmac("sha256", key).update(`${number}:${id}:${userId}`).digest();
  // A character per byte: 32 divides 256, so all of them are equally frequent.
  return Array.from(digest.subarray(0, signatureCharacters), (byte) => alphabet[byte % 32]).join(
    "",
  );
}
