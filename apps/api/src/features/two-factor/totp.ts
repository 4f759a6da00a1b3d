import { Secret, TOTP } from "otpauth";

/** The defaults of RFC 6238, which every authenticator app supports. */
const parameters = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** Steps a clock may be off, either way. */
const skewSteps = 1;
const secretBytes = 20;

export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The address that a QR code carries into the app. */
export function otpauthUrl(secret: string, email: string): string {
  return new TOTP({ ...parameters, issuer: "Palisade", label: email, secret }).toString();
}

/** The time step a code belongs to, or undefined where it is wrong now. */
export function matchedStep(secret: string, typed: string, now: Date): number | undefined {
  const token = typed.replaceAll(/\s/g, "");
  // The library throws for six characters of more than six bytes.
  if (!/^[0-9]+$/.test(token)) return undefined;
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    ...parameters,
    token,
    secret: Secret.fromBase32(secret),
    timestamp,
    window: skewSteps,
  });
  return delta === null ? undefined : Math.floor(timestamp / (parameters.period * 1000)) + delta;
}
