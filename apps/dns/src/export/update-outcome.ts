import { rcode } from "#src/wire/rcode.ts";
import { readSignedAnswer } from "#src/wire/signed-answer.ts";
import { checkSignature, tsigError, type TsigKey } from "#src/wire/tsig.ts";
import { opcodeUpdate } from "#src/wire/update-message.ts";

export type Refusal =
  | "FORMERR"
  | "SERVFAIL"
  | "NOTIMP"
  | "REFUSED"
  | "NOTAUTH"
  | "NOTZONE"
  | "BADSIG"
  | "BADKEY"
  | "BADTIME"
  | "other";

export type UpdateOutcome =
  /** A signed answer confirms the update. */
  | { readonly kind: "done" }
  | {
      readonly kind: "refused";
      readonly refusal: Refusal;
      readonly rcode: number;
      /** For BADTIME: seconds by which the server's clock is ahead of ours, if it sent its time. */
      readonly clockAheadSeconds: number | null;
    }
  /** An answer came, but not from a server that knows the key: `reason` says why. */
  | { readonly kind: "untrusted"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly reason: string };

export interface SentUpdate {
  readonly id: number;
  readonly mac: Buffer;
}

/** The outcome of an update by an answer of untrusted origin. Only a signed answer gives 'done'. Pure. */
export function outcomeOf(
  answer: Buffer,
  asked: SentUpdate,
  key: TsigKey,
  nowSeconds: number,
): UpdateOutcome {
  const read = readSignedAnswer(answer);
  if (read === null || !read.isResponse || read.opcode !== opcodeUpdate || read.id !== asked.id) {
    return { kind: "untrusted", reason: "does not belong to the update" };
  }
  if (read.rcode !== rcode.noError) {
    // An unsigned refusal is only logged: the update is tried again in any case.
    const error = read.rcode === rcode.notAuthoritative ? (read.tsig?.error ?? 0) : 0;
    const ahead =
      error === tsigError.badTime && read.tsig?.other.length === 6
        ? read.tsig.other.readUIntBE(0, 6) - nowSeconds
        : null;
    return {
      kind: "refused",
      refusal: tsigRefusals.get(error) ?? refusals.get(read.rcode) ?? "other",
      rcode: read.rcode,
      clockAheadSeconds: ahead,
    };
  }
  const signature = checkSignature(read, asked.mac, key, nowSeconds);
  if (signature === "valid") return { kind: "done" };
  return { kind: "untrusted", reason: untrustedReasons[signature] };
}

const untrustedReasons = {
  absent: "is not signed",
  foreign_key: "is signed by another key",
  wrong: "has a wrong signature",
  outdated: "was signed at another time",
} as const;

const refusals: ReadonlyMap<number, Refusal> = new Map([
  [rcode.formatError, "FORMERR"],
  [rcode.serverFailure, "SERVFAIL"],
  [rcode.notImplemented, "NOTIMP"],
  [rcode.refused, "REFUSED"],
  [rcode.notAuthoritative, "NOTAUTH"],
  [rcode.notZone, "NOTZONE"],
]);

const tsigRefusals: ReadonlyMap<number, Refusal> = new Map([
  [tsigError.badSignature, "BADSIG"],
  [tsigError.badKey, "BADKEY"],
  [tsigError.badTime, "BADTIME"],
]);
