import type { CredentialProof, NewCredential } from "@palisade/contract/http/passkeys";

/** The user closed the browser's own dialog, or had no passkey to choose there. */
export class PasskeyDeclined extends Error {
  constructor(cause: unknown) {
    super("No passkey was chosen", { cause });
    this.name = "PasskeyDeclined";
  }
}

/** The authenticator holds a passkey of this account already. */
export class PasskeyKnown extends Error {
  constructor(cause: unknown) {
    super("The passkey exists", { cause });
    this.name = "PasskeyKnown";
  }
}

/** Browsers offer passkeys on pages with TLS or of this machine, and only for domains. */
export function passkeysWork(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname);
  return "PublicKeyCredential" in globalThis && globalThis.isSecureContext && !isAddress;
}

// Loaded on demand: most visits need no passkey.
const library = () => import("@simplewebauthn/browser");

type Options = Readonly<Record<string, unknown>>;

/** Lets the user make a passkey on an authenticator of their choice. */
export async function createPasskey(options: Options): Promise<NewCredential> {
  const { startRegistration } = await library();
  // The api has made them for exactly this function.
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]["optionsJSON"];
  const { id, rawId, response } = await startRegistration({ optionsJSON }).catch(rethrow);
  const { clientDataJSON, attestationObject, transports } = response;
  return {
    id,
    rawId,
    type: "public-key",
    response: { clientDataJSON, attestationObject, transports },
  };
}

/** Lets the user answer with one of their passkeys. */
export async function answerByPasskey(options: Options): Promise<CredentialProof> {
  const { startAuthentication } = await library();
  // As above.
  const optionsJSON = options as unknown as Parameters<
    typeof startAuthentication
  >[0]["optionsJSON"];
  const { id, rawId, response } = await startAuthentication({ optionsJSON }).catch(rethrow);
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id,
    rawId,
    type: "public-key",
    response: { clientDataJSON, authenticatorData, signature, userHandle },
  };
}

/** Browsers say no more than this: a refusal, a time-out and a missing passkey look alike. */
function rethrow(error: unknown): never {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") throw new PasskeyKnown(error);
  if (name === "NotAllowedError" || name === "AbortError") throw new PasskeyDeclined(error);
  throw error;
}
