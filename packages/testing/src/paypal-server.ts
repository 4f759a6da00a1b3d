import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { notFound, problem, unprocessable, type PaypalAnswer } from "./paypal-errors.ts";
import { createPaypalOrders, type PaypalOrders } from "./paypal-orders.ts";
import { createPaypalWebhooks, type PaypalWebhooks } from "./paypal-webhooks.ts";

/**
 * - `500`, `503`, `429` instead of an answer; nothing is done
 * - `in-progress` as PayPal answers a repetition that comes while the first is carried out
 * - `no-answer` the connection breaks before anything is done
 * - `lost-answer` it is done, and then the connection breaks
 * - `held` it is done, and answered once `releaseHeld` is called
 */
export type PaypalFaultKind =
  | "500"
  | "503"
  | "429"
  | "in-progress"
  | "no-answer"
  | "lost-answer"
  | "held";

export interface PaypalFault {
  /** `POST /v2/checkout/orders`, for example; each fault is used once. */
  readonly on: RegExp;
  readonly kind: PaypalFaultKind;
}

/** PayPal for tests: its HTTP, its error bodies, its page for the payer, its webhooks. */
export interface PaypalServer {
  readonly url: string;
  readonly clientId: string;
  readonly secret: string;
  readonly merchantId: string;
  readonly webhookId: string;
  readonly orders: PaypalOrders;
  readonly webhooks: PaypalWebhooks;
  /** Method and path of each request, in order. */
  readonly requests: readonly string[];
  addFaults(...faults: readonly PaypalFault[]): void;
  releaseHeld(): void;
  /** Tokens given out so far are no longer known. */
  forgetTokens(): void;
  close(): Promise<void>;
}

export interface PaypalServerOptions {
  readonly now?: () => Date;
  /** Seconds that a token is good for. */
  readonly tokenSeconds?: number;
  readonly scopes?: readonly string[];
}

const allScopes = [
  "https://uri.paypal.com/services/payments/payment",
  "https://uri.paypal.com/services/reporting/search/read",
  "https://uri.paypal.com/services/disputes/read-seller",
];

/**
 * @example
 * const paypal = await startPaypalServer();
 * paypal.addFaults({ on: /^POST .*capture$/, kind: "lost-answer" });
 * paypal.orders.approve(orderId);
 */
export async function startPaypalServer(options: PaypalServerOptions = {}): Promise<PaypalServer> {
  const { now = () => new Date(), tokenSeconds = 32_400, scopes = allScopes } = options;
  const clientId = `client-${randomBytes(20).toString("hex")}`;
  const secret = `secret-${randomBytes(20).toString("hex")}`;
  const merchantId = "MERCHANT12345";
  const webhookId = "5GP028458E2496506";
  const tokens = new Set<string>();
  const faults: PaypalFault[] = [];
  const requests: string[] = [];
  const waiting: (() => void)[] = [];
  let origin = "";
  const webhooks = createPaypalWebhooks({ webhookId, now, origin: () => origin });
  const orders = createPaypalOrders({
    merchantId,
    now,
    origin: () => origin,
    send: (type, resourceType, resource) => webhooks.send(type, resourceType, resource),
  });

  function takeFault(request: string): PaypalFaultKind | undefined {
    const index = faults.findIndex(({ on }) => on.test(request));
    return index === -1 ? undefined : faults.splice(index, 1)[0]?.kind;
  }

  function giveToken(request: IncomingMessage): PaypalAnswer {
    const basic = Buffer.from(`${clientId}:${secret}`).toString("base64");
    if (request.headers.authorization !== `Basic ${basic}`) {
      const error = { error: "invalid_client", error_description: "Client Authentication failed" };
      return { status: 401, body: error };
    }
    const token = `A21AA${randomBytes(24).toString("base64url")}`;
    tokens.add(token);
    return {
      status: 200,
      body: {
        scope: scopes.join(" "),
        access_token: token,
        token_type: "Bearer",
        app_id: "APP-80W284485P519543T",
        expires_in: tokenSeconds,
        nonce: `${now().toISOString()}${randomBytes(8).toString("hex")}`,
      },
    };
  }

  function answerOf(request: IncomingMessage, url: URL, body: string): PaypalAnswer {
    if (url.pathname === "/v1/oauth2/token") return giveToken(request);
    const token = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    if (!tokens.has(token)) {
      const error = {
        error: "invalid_token",
        error_description: "Token signature verification failed",
      };
      return { status: 401, body: error };
    }
    if (url.pathname === "/v1/notifications/verify-webhook-signature") {
      const verification_status = webhooks.verifies(body) ? "SUCCESS" : "FAILURE";
      return { status: 200, body: { verification_status } };
    }
    return route(request, url, body);
  }

  function route(request: IncomingMessage, url: URL, body: string): PaypalAnswer {
    const header = request.headers["paypal-request-id"];
    const requestId = typeof header === "string" ? header : undefined;
    const [, version, area, kind = "", id = "", action = ""] = url.pathname.split("/");
    const what = `${request.method ?? ""} ${version ?? ""}/${area ?? ""}/${kind}`;
    if (what === "POST v2/checkout/orders" && id === "") {
      return orders.create(JSON.parse(body), requestId);
    }
    if (what === "POST v2/checkout/orders" && action === "capture") {
      return orders.capture(id, requestId);
    }
    if (what === "GET v2/checkout/orders") return orders.read(id);
    if (what === "GET v2/payments/captures") return orders.readCapture(id);
    if (what === "POST v2/payments/captures" && action === "refund") {
      return orders.refund(id, JSON.parse(body), requestId);
    }
    if (what === "GET v1/customer/disputes") {
      const captureId = url.searchParams.get("disputed_transaction_id");
      return captureId === null ? orders.readDispute(id) : orders.disputesOf(captureId);
    }
    if (what === "GET v1/reporting/transactions") return listPage(url);
    return notFound();
  }

  function listPage(url: URL): PaypalAnswer {
    if (!scopes.some((scope) => scope.includes("reporting"))) {
      return problem(
        403,
        "NOT_AUTHORIZED",
        "Authorization failed due to insufficient permissions.",
      );
    }
    const query = (name: string): string => url.searchParams.get(name) ?? "";
    const all = orders.listTransactions(new Date(query("start_date")), new Date(query("end_date")));
    const size = Number(query("page_size"));
    const page = Number(query("page"));
    return {
      status: 200,
      body: {
        transaction_details: all.slice((page - 1) * size, page * size),
        account_number: merchantId,
        page,
        total_items: all.length,
        total_pages: Math.max(1, Math.ceil(all.length / size)),
      },
    };
  }

  async function serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    const named = `${request.method ?? ""} ${url.pathname}`;
    requests.push(named);
    const body = await text(request);
    if (url.pathname.startsWith("/checkoutnow")) return servePage(url, body, answer);
    const fault = takeFault(named);
    if (fault === "no-answer") return void request.socket.destroy();
    if (fault === "429") answer.setHeader("retry-after", "0");
    const made = fault === undefined ? undefined : refusals[fault];
    const { status, body: content } = made ?? answerOf(request, url, body);
    if (fault === "lost-answer") return void request.socket.destroy();
    if (fault === "held") await new Promise<void>((resolve) => waiting.push(resolve));
    if (!answer.headersSent && !request.socket.destroyed) {
      answer.writeHead(status, { "content-type": "application/json" });
      answer.end(JSON.stringify(content));
    }
  }

  /** The page on which the payer approves or cancels. */
  function servePage(url: URL, body: string, answer: ServerResponse): void {
    const id = url.searchParams.get("token") ?? "";
    const order = orders.all().find((each) => each.id === id);
    if (order === undefined) {
      answer.writeHead(404, { "content-type": "text/html" });
      return void answer.end("<h1>Things don't appear to be working</h1>");
    }
    const action = new URLSearchParams(body).get("action");
    if (action === null) {
      answer.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      return void answer.end(payerPage(id, `${(order.cents / 100).toFixed(2)} ${order.currency}`));
    }
    if (action === "approve") orders.approve(id);
    const back = new URL(action === "approve" ? order.returnUrl : order.cancelUrl);
    back.searchParams.set("token", id);
    if (action === "approve") back.searchParams.set("PayerID", "PAYER12345678");
    answer.writeHead(303, { location: back.href });
    answer.end();
  }

  const server = createServer((request, answer) => {
    serve(request, answer).catch((error: unknown) => {
      answer.writeHead(500, { "content-type": "text/plain" });
      answer.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Not a TCP server");
  origin = `http://127.0.0.1:${address.port}`;
  return {
    url: origin,
    clientId,
    secret,
    merchantId,
    webhookId,
    orders,
    webhooks,
    requests,
    addFaults: (...added) => void faults.push(...added),
    releaseHeld: () => waiting.splice(0).forEach((release) => release()),
    forgetTokens: () => tokens.clear(),
    async close() {
      waiting.splice(0).forEach((release) => release());
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await webhooks.settled();
    },
  };
}

const internal = problem(500, "INTERNAL_SERVER_ERROR", "An internal server error has occurred.");

const refusals: Partial<Record<PaypalFaultKind, PaypalAnswer>> = {
  "500": internal,
  "503": problem(503, "SERVICE_UNAVAILABLE", "Service Unavailable."),
  "429": problem(429, "RATE_LIMIT_REACHED", "Too many requests. Blocked due to rate limiting."),
  "in-progress": unprocessable(
    "PREVIOUS_REQUEST_IN_PROGRESS",
    "A previous request on this resource is currently in progress.",
  ),
};

function payerPage(id: string, amount: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>PayPal stand-in</title></head>
<body><h1>Pay ${amount}</h1>
<form method="post" action="/checkoutnow?token=${id}">
<button name="action" value="approve">Pay now</button>
<button name="action" value="cancel">Cancel and return</button>
</form></body></html>
`;
}
