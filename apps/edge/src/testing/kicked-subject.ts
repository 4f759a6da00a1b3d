import { disconnectOf } from "#src/challenge/disconnects.ts";
import type { VerificationSubject } from "#src/challenge/verification.ts";

/** Bytes of a handshake and Login Start with a short host and name. */
const helloBytes = 40;

/** A subject whose kicks are its texts. */
export function kickedSubject(
  subject: Omit<VerificationSubject, "kick" | "receivedBytes">,
): VerificationSubject {
  return {
    receivedBytes: helloBytes,
    ...subject,
    kick: (about, state) => disconnectOf(state, subject.protocol, subject.text(about)),
  };
}
