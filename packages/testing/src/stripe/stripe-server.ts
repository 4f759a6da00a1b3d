import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Stripe } from "stripe";
import { answerApi } from "./api.ts";
import { readForm, textOf } from "./form.ts";
import { createIdempotency } from "./idempotency.ts";
import { StripeRefusal, type StripeEvent } from "./objects.ts";
import { answerPage } from "./page.ts";
import { createStripeState, type StripeState } from "./state.ts";

/**
 * - `500` the call is refused before it does anything
 * - `lost` the call is carried out, and its answer never arrives
 * - `held` the call waits until the returned function is called
 */
export type StripeFault = "500" | "lost" | "held";

export interface StripeServer {
  /** For PALISADE_STRIPE_API_URL. */
  readonly apiUrl: string;
  readonly account: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** The memory of the stand-in; its functions act as payers, banks and staff at Stripe do. */
  readonly state: StripeState;
  /** Every call of the API, as `POST /v1/refunds`. */
  readonly calls: readonly string[];
  /** While true it answers like a server that is overloaded. */
  isAway: boolean;
  /** A key that has been revoked. */
  isKeyRefused: boolean;
  /**
   * The next `times` calls whose `POST /v1/refunds` matches go wrong.
   *
   * @returns lets held calls go on
   */
  inject(fault: StripeFault, call: RegExp, times?: number): () => void;
  /** A delivery that is signed as Stripe signs. */
  delivery(event: StripeEvent, options?: DeliveryOptions): Delivery;
  /** From now on delivers every event, again until it is accepted. */
  deliverTo(url: string): void;
  close(): Promise<void>;
}

export interface Delivery {
  readonly body: string;
  readonly headers: { readonly "content-type": string; readonly "stripe-signature": string };
}

export interface DeliveryOptions {
  /** When it is signed; by default now. */
  readonly at?: Date;
  readonly secret?: string;
}

const retryMs = 250;
const triesMax = 40;

/**
 * Stripe for tests: its HTTP API with form bodies, idempotency keys and error bodies, its hosted
 * Checkout page, and webhooks signed by the official SDK. Money moves only within it.
 */
export async function startStripeServer(
  options: { readonly now?: () => Date; readonly account?: string } = {},
): Promise<StripeServer> {
  const { now = () => new Date(), account = "acct_1StandIn00000000" } = options;
  const secretKey = "sk_test_51StandIn000000000000000000";
  const webhookSecret = "whsec_standin00000000000000000000";
  let origin = "";
  const state = createStripeState({ now, origin: () => origin });
  const idempotent = createIdempotency();
  const calls: string[] = [];
  const faults: { fault: StripeFault; call: RegExp; left: number; gate: Promise<void> }[] = [];
  const switches = { isAway: false, isKeyRefused: false };
  const ending = new AbortController();

  const takeFault = (call: string) => {
    const found = faults.find((each) => each.left > 0 && each.call.test(call));
    if (found !== undefined) found.left -= 1;
    return found;
  };

  async function answerCall(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    const body = await text(request);
    const name = `${request.method} ${url.pathname}`;
    calls.push(name);
    if (switches.isAway) return void request.socket.destroy();
    const authorization = request.headers.authorization ?? "";
    if (authorization !== `Bearer ${secretKey}` || switches.isKeyRefused) {
      throw new StripeRefusal(401, {
        type: "invalid_request_error",
        message: "Invalid API Key provided: sk_test_********************0000",
      });
    }
    const fault = takeFault(name);
    if (fault?.fault === "500") {
      throw new StripeRefusal(500, { type: "api_error", message: "An unknown error occurred" });
    }
    if (fault?.fault === "held") await fault.gate;
    const form = readForm(`${url.searchParams.toString()}&${body}`);
    const path = url.pathname.replace("/v1", "");
    const key = request.headers["idempotency-key"];
    const done = await idempotent(
      typeof key === "string" && request.method === "POST" ? key : undefined,
      `${name} ${body}`,
      async () =>
        carryOut(() => answerApi(state, account, { method: request.method ?? "", path, form })),
    );
    if (fault?.fault === "lost") return void request.socket.destroy();
    if (done.isReplayed) answer.setHeader("idempotent-replayed", "true");
    send(answer, done.status, done.body);
  }

  async function answerBrowser(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const id = new URL(request.url ?? "/", origin).pathname.split("/").at(-1) ?? "";
    const action =
      request.method === "POST" ? textOf(readForm(await text(request)), "action") : undefined;
    const { status, html, location } = answerPage(state, id, action);
    answer.writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      ...(location !== undefined && { location }),
    });
    answer.end(html);
  }

  const server = createServer((request, answer) => {
    answer.setHeader("request-id", `req_${calls.length}`);
    const isPage = request.url?.startsWith("/c/pay/") === true;
    (isPage ? answerBrowser(request, answer) : answerCall(request, answer)).catch(
      (error: unknown) => {
        if (error instanceof StripeRefusal) send(answer, error.status, { error: error.body });
        else send(answer, 500, { error: { type: "api_error", message: String(error) } });
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Not a TCP server");
  origin = `http://127.0.0.1:${address.port}`;

  const delivery: StripeServer["delivery"] = (event, sent = {}) => {
    const body = JSON.stringify(event);
    return {
      body,
      headers: {
        "content-type": "application/json",
        "stripe-signature": Stripe.webhooks.generateTestHeaderString({
          payload: body,
          secret: sent.secret ?? webhookSecret,
          timestamp: Math.floor((sent.at ?? now()).getTime() / 1000),
        }),
      },
    };
  };

  async function deliver(url: string, event: StripeEvent): Promise<void> {
    for (let tries = 0; tries < triesMax && !ending.signal.aborted; tries += 1) {
      const { body, headers } = delivery(event);
      const answer = await fetch(url, {
        method: "POST",
        headers,
        body,
        signal: ending.signal,
      }).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.ok === true) return;
      await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
    }
  }

  return {
    apiUrl: origin,
    account,
    secretKey,
    webhookSecret,
    state,
    calls,
    get isAway() {
      return switches.isAway;
    },
    set isAway(value) {
      switches.isAway = value;
    },
    get isKeyRefused() {
      return switches.isKeyRefused;
    },
    set isKeyRefused(value) {
      switches.isKeyRefused = value;
    },
    inject(fault, call, times = 1) {
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      faults.push({ fault, call, left: times, gate });
      return release;
    },
    delivery,
    deliverTo(url) {
      state.onEvent((event) => void deliver(url, event));
    },
    async close() {
      ending.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A refusal of the API is an answer like any other: a repeated call gets it again. */
async function carryOut(work: () => object): Promise<{ status: number; body: object }> {
  try {
    return { status: 200, body: structuredClone(work()) };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return { status: error.status, body: structuredClone({ error: error.body }) };
  }
}

function send(answer: ServerResponse, status: number, body: object): void {
  answer.writeHead(status, { "content-type": "application/json" });
  answer.end(JSON.stringify(body));
}
