import { createHash, createPublicKey, randomBytes, verify, webcrypto } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as x509 from "@peculiar/x509";
import { z } from "zod";

/**
 * A certification authority for tests (RFC 8555): accounts, orders and challenges over HTTP. It checks
 * signatures and nonces of requests, asks for the challenge's answer, and issues certificates of its
 * own root.
 */
export interface AcmeServer {
  readonly directoryUrl: string;
  /** PEM, for clients that are to trust what it issues. */
  readonly rootCertificate: string;
  readonly issued: readonly string[];
  /** While true it answers like a server that is overloaded. */
  isAway: boolean;
  close(): Promise<void>;
}

export interface AcmeServerOptions {
  /** Challenges of every domain are asked for there, instead of port 80 of the domain. */
  readonly challengeOrigin: () => string;
  readonly lifeMs?: number;
  readonly now?: () => Date;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const envelope = z.object({ protected: z.string(), payload: z.string(), signature: z.string() });
const head = z.object({
  nonce: z.string(),
  url: z.string(),
  kid: z.string().optional(),
  jwk: z.record(z.string(), z.string()).optional(),
});
type Jwk = Record<string, string>;

interface Order {
  readonly id: string;
  readonly domain: string;
  readonly token: string;
  readonly thumbprint: string;
  isProven: boolean;
  isRefused: boolean;
  certificate?: string;
}

const unproven = { invalid: "invalid", pending: "pending" };

function proofOf({ isProven, isRefused }: Order): "valid" | "invalid" | "pending" {
  if (isProven) return "valid";
  return isRefused ? "invalid" : "pending";
}

export async function startAcmeServer(options: AcmeServerOptions): Promise<AcmeServer> {
  const root = await createRoot();
  const accounts = new Map<string, Jwk>();
  const orders = new Map<string, Order>();
  const nonces = new Set<string>();
  const issued: string[] = [];
  let origin = "";
  const state = { isAway: false };

  function freshNonce(): string {
    const nonce = randomBytes(12).toString("base64url");
    nonces.add(nonce);
    return nonce;
  }

  async function signedRequest(request: IncomingMessage) {
    const sent = envelope.parse(JSON.parse(await text(request)));
    const header = head.parse(JSON.parse(Buffer.from(sent.protected, "base64url").toString()));
    const jwk = header.jwk ?? accounts.get(header.kid ?? "");
    const key = createPublicKey({ key: jwk ?? {}, format: "jwk" });
    const isValid = verify(
      "sha256",
      Buffer.from(`${sent.protected}.${sent.payload}`),
      { key, dsaEncoding: "ieee-p1363" },
      Buffer.from(sent.signature, "base64url"),
    );
    if (!isValid || !nonces.delete(header.nonce) || header.url !== origin + request.url) {
      throw new Error("The request is not signed as it should be");
    }
    const payload = Buffer.from(sent.payload, "base64url").toString();
    return { jwk: jwk ?? {}, payload: payload === "" ? {} : (JSON.parse(payload) as object) };
  }

  async function prove(order: Order): Promise<void> {
    const url = `${options.challengeOrigin()}/.well-known/acme-challenge/${order.token}`;
    const answer = await (await fetch(url, { headers: { host: order.domain } })).text();
    order.isProven = answer === `${order.token}.${order.thumbprint}`;
    order.isRefused = !order.isProven;
  }

  const stateOf = (order: Order) => ({
    status: order.certificate ? "valid" : { valid: "ready", ...unproven }[proofOf(order)],
    identifiers: [{ type: "dns", value: order.domain }],
    authorizations: [`${origin}/authorization/${order.id}`],
    finalize: `${origin}/finalize/${order.id}`,
    ...(order.certificate && { certificate: `${origin}/certificate/${order.id}` }),
  });
  const challengeOf = (order: Order) => ({
    type: "http-01",
    url: `${origin}/challenge/${order.id}`,
    token: order.token,
    status: proofOf(order),
  });

  async function answerSigned(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { jwk, payload } = await signedRequest(request);
    const [, what = "", id = ""] = (request.url ?? "").split("/");
    if (what === "account") {
      const url = `${origin}/account/${thumbprintOf(jwk)}`;
      accounts.set(url, jwk);
      return send(answer, 201, { status: "valid" }, url);
    }
    if (what === "new-order") {
      const { identifiers } = z
        .object({ identifiers: z.array(z.object({ value: z.string() })).length(1) })
        .parse(payload);
      const order: Order = {
        id: randomBytes(8).toString("hex"),
        domain: identifiers[0]?.value ?? "",
        token: randomBytes(16).toString("base64url"),
        thumbprint: thumbprintOf(jwk),
        isProven: false,
        isRefused: false,
      };
      orders.set(order.id, order);
      return send(answer, 201, stateOf(order), `${origin}/order/${order.id}`);
    }
    const order = orders.get(id);
    if (order === undefined) return send(answer, 404, { type: "malformed" });
    if (what === "challenge") {
      await prove(order);
      return send(answer, 200, challengeOf(order));
    }
    if (what === "finalize") {
      const { csr } = z.object({ csr: z.string() }).parse(payload);
      if (!order.isProven) return send(answer, 403, { type: "orderNotReady" });
      order.certificate = await issue(root, csr, order.domain, options);
      issued.push(order.certificate);
    }
    if (what === "certificate") {
      answer.writeHead(200, { "content-type": "application/pem-certificate-chain" });
      return void answer.end(`${order.certificate}\n${root.certificate.toString("pem")}\n`);
    }
    if (what === "authorization") {
      const identifier = { type: "dns", value: order.domain };
      const status = proofOf(order);
      return send(answer, 200, { status, identifier, challenges: [challengeOf(order)] });
    }
    send(answer, 200, stateOf(order), `${origin}/order/${order.id}`);
  }

  const server = createServer((request, answer) => {
    answer.setHeader("replay-nonce", freshNonce());
    if (state.isAway) return void request.socket.destroy();
    if (request.method === "HEAD") return void answer.writeHead(200).end();
    if (request.method === "GET") {
      return send(answer, 200, {
        newNonce: `${origin}/nonce`,
        newAccount: `${origin}/account`,
        newOrder: `${origin}/new-order`,
      });
    }
    answerSigned(request, answer).catch((error: unknown) =>
      send(answer, 400, { type: "malformed", detail: String(error) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Not a TCP server");
  origin = `http://127.0.0.1:${address.port}`;
  return {
    directoryUrl: `${origin}/directory`,
    rootCertificate: root.certificate.toString("pem"),
    issued,
    get isAway() {
      return state.isAway;
    },
    set isAway(value) {
      state.isAway = value;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(answer: ServerResponse, status: number, body: object, location?: string): void {
  answer.writeHead(status, {
    "content-type": "application/json",
    ...(location && { location }),
  });
  answer.end(JSON.stringify(body));
}

/** RFC 7638, for the keys of an elliptic curve. */
function thumbprintOf({ crv, kty, x, y }: Jwk): string {
  return createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
}

async function createRoot() {
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: "CN=Palisade test CA",
    notBefore: new Date("2000-01-01"),
    notAfter: new Date("2100-01-01"),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  return { keys, certificate };
}

async function issue(
  root: Awaited<ReturnType<typeof createRoot>>,
  csr: string,
  domain: string,
  { lifeMs = 90 * 86_400_000, now = () => new Date() }: AcmeServerOptions,
): Promise<string> {
  const request = new x509.Pkcs10CertificateRequest(Buffer.from(csr, "base64url"));
  const from = now();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomBytes(8).toString("hex"),
    issuer: root.certificate.subject,
    notBefore: from,
    notAfter: new Date(from.getTime() + lifeMs),
    signingAlgorithm: algorithm,
    publicKey: request.publicKey,
    signingKey: root.keys.privateKey,
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: "dns", value: domain }]),
      new x509.BasicConstraintsExtension(false),
    ],
  });
  return certificate.toString("pem");
}
