import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import type { CredentialProof, NewCredential } from "@palisade/contract/http/passkeys";
import { routes } from "@palisade/contract/http/routes";
import { relyingPartyOf } from "#src/features/passkeys/relying-party.ts";
import type { TestApp } from "./test-app.ts";
import { call, expectStatus, type TestUser } from "./test-users.ts";

/** An authenticator in software, which can be told to answer wrongly. */
export interface TestAuthenticator {
  create(options: Options, twist?: Twist): NewCredential;
  get(options: Options, twist?: Twist): CredentialProof;
}

export type Options = Readonly<Record<string, unknown>>;

export interface Twist {
  readonly origin?: string;
  readonly rpId?: string;
  /** Without a finger or a PIN. */
  readonly unverified?: true;
  /** In place of one more than before. */
  readonly counter?: number;
  readonly userHandle?: string;
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 };

export function createAuthenticator(origin: string): TestAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let uses = 0;
  let userHandle = "";

  const facts = (options: Options, type: string, twist: Twist) => {
    const rpId = twist.rpId ?? rpIdOf(options);
    const base = flags.present | (twist.unverified === true ? 0 : flags.verified);
    const head = (extra: number): Buffer =>
      Buffer.concat([hashOf(rpId), Buffer.from([base | extra]), uint32(twist.counter ?? uses)]);
    const client = { type, challenge: options["challenge"], origin: twist.origin ?? origin };
    return { head, clientData: Buffer.from(JSON.stringify(client)) };
  };
  const named = { id: text(id), rawId: text(id), type: "public-key" as const };

  return {
    create(options, twist = {}) {
      const user = options["user"] as { readonly id: string };
      userHandle = user.id;
      const { head, clientData } = facts(options, "webauthn.create", twist);
      const attested = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, cose(publicKey)]);
      const attestationObject = text(attestation(Buffer.concat([head(flags.attested), attested])));
      return {
        ...named,
        response: { clientDataJSON: text(clientData), attestationObject, transports: ["internal"] },
      };
    },
    get(options, twist = {}) {
      uses += 1;
      const { head, clientData } = facts(options, "webauthn.get", twist);
      const data = head(0);
      return {
        ...named,
        response: {
          clientDataJSON: text(clientData),
          authenticatorData: text(data),
          signature: text(signed(privateKey, data, clientData)),
          userHandle: twist.userHandle ?? userHandle,
        },
      };
    },
  };
}

/** An authenticator whose passkey the user has added by the routes, just logged in. */
export async function addPasskey(
  testApp: TestApp,
  { token }: Pick<TestUser, "token">,
  name = "Laptop",
): Promise<{ authenticator: TestAuthenticator; id: string; codes: readonly string[] }> {
  const authenticator = createAuthenticator(originOf(testApp));
  const begun = await expectStatus(call(testApp, routes.passkeys.beginPasskey, { token }), 200);
  const credential = authenticator.create(begun.json().options);
  const body = { name, credential };
  const added = await expectStatus(call(testApp, routes.passkeys.addPasskey, { token, body }), 201);
  const { passkey, backup_codes: codes } = routes.passkeys.addPasskey.response.parse(added.json());
  return { authenticator, id: passkey.id, codes };
}

/** The options for a login by passkey. */
export async function loginOptions(testApp: TestApp): Promise<Options> {
  const begun = await expectStatus(call(testApp, routes.passkeys.beginPasskeyLogin), 200);
  return begun.json().options;
}

/** The origin that the app's passkeys are bound to. */
export function originOf({ app, platform: { config } }: TestApp): string {
  const address = app.server.address();
  const port = address === null || typeof address === "string" ? config.httpPort : address.port;
  const party = relyingPartyOf(config.publicUrl ?? `http://127.0.0.1:${port}`);
  if (party === undefined) throw new Error("The app's public address has no domain");
  return party.origin;
}

function rpIdOf(options: Options): string {
  const rp = options["rp"] as { readonly id: string } | undefined;
  return rp?.id ?? String(options["rpId"]);
}

function signed(key: KeyObject, data: Buffer, clientData: Buffer): Buffer {
  return sign("sha256", Buffer.concat([data, hashOf(clientData)]), key);
}

/** RFC 9052: an ES256 key on P-256. */
function cose(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);
}

/** CBOR of `{ fmt: "none", attStmt: {}, authData }`. */
function attestation(authData: Buffer): Buffer {
  const before = Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746159", "hex");
  return Buffer.concat([before, uint16(authData.length), authData]);
}

const hashOf = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();
const text = (data: Buffer): string => data.toString("base64url");

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
