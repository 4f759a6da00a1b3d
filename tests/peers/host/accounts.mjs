import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { Agent } from "node:https";
import { connect } from "node:net";

/** Accounts of the test's own session server, on both sides of a join. */

export const asOffline = { auth: "offline" };

/**
 * A client that owns an account: it tells the session server of every join.
 *
 * @param account {id, token, sessionServer: its URL, profileKey?: PEM, for 1.19 to 1.19.2}
 */
export function asOwner({ id, token, sessionServer, profileKey }) {
  return {
    sessionServer,
    // Replaces the function that would ask for a password.
    auth(client, options) {
      client.username = options.username;
      client.session = { accessToken: token, selectedProfile: { id, name: options.username } };
      options.accessToken = token;
      options.haveCredentials = true;
      if (profileKey !== undefined) client.profileKeys = profileKeys(profileKey);
      options.connect(client);
    },
  };
}

const dayMs = 86_400_000;

/** With a random signature: only Mojang's root key can sign, and the tests' servers do not check it. */
function profileKeys(pem) {
  const signature = randomBytes(512);
  return {
    private: createPrivateKey(pem),
    public: createPublicKey(pem),
    expiresOn: new Date(Date.now() + dayMs),
    signature,
    signatureV2: signature,
  };
}

/** Server side: the library's request to Mojang goes to this port of loopback, in plain HTTP. */
export function sessionServerAgent(port) {
  return new (class extends Agent {
    createConnection() {
      return connect({ host: "127.0.0.1", port });
    }
  })();
}

let serverKeys;

/**
 * Key to which players encrypt. The library decrypts in JavaScript, which takes tens of milliseconds with
 * the usual 1,024 bits; nothing else depends on the size.
 */
export function serverKey() {
  serverKeys ??= generateKeyPairSync("rsa", {
    modulusLength: 512,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const { publicKey, privateKey } = serverKeys;
  const pem = { pkcs1: privateKey, "pkcs8-public-pem": publicKey.trim() };
  return { exportKey: (format) => pem[format] };
}

/** Accepts a client's key without Mojang's signature, before the library checks it. */
export function trustProfileKey(client) {
  client.prependOnceListener("login_start", (packet) => {
    if (!packet.signature) return;
    const key = { key: packet.signature.publicKey, format: "der", type: "spki" };
    client.profileKeys = { public: createPublicKey(key) };
    packet.signature = null;
  });
}
