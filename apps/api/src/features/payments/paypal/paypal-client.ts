import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";

export interface PaypalClientOptions {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly secret: string;
  /** Milliseconds of a clock that never goes back. */
  readonly uptimeMs?: () => number;
  /** The pause before the first repetition; it doubles. */
  readonly firstPauseMs?: number;
}

export interface PaypalRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** JSON; a string is sent as it is. */
  readonly body?: object | string;
  /** PayPal carries out requests with the same id once and repeats its answer. */
  readonly requestId?: string;
  readonly signal?: AbortSignal;
}

/** PayPal refused a request. `issues` are its stable names, such as `ORDER_ALREADY_CAPTURED`. */
export class PaypalRefusal extends Error {
  override name = "PaypalRefusal";
  readonly status: number;
  readonly issues: readonly string[];

  constructor(request: Pick<PaypalRequest, "method" | "path">, status: number, text: string) {
    const { name, message, details, debug_id: debugId } = readProblem(text);
    const issues = details.map(({ issue }) => issue);
    const why = [name, ...issues, ...details.map(({ description }) => description ?? "")];
    super(
      `PayPal answered ${request.method} ${request.path} with ${status} ${why.filter(Boolean).join(", ") || message}` +
        (debugId === "" ? "" : ` (debug id ${debugId})`),
    );
    this.status = status;
    this.issues = [name, ...issues];
  }

  has(issue: string): boolean {
    return this.issues.includes(issue);
  }
}

/** The keys are not those of an app at this address of PayPal. */
export class PaypalKeysRefused extends Error {
  override name = "PaypalKeysRefused";
}

export interface PaypalClient {
  /**
   * Sends a request, and again after a lost answer, 429 and 5xx, which its id makes safe.
   *
   * @returns the JSON of the answer
   * @throws PaypalRefusal, PaypalKeysRefused, or an error without an answer
   */
  send(request: PaypalRequest): Promise<unknown>;
  /**
   * Asks for a new token.
   *
   * @returns the rights that it has
   * @throws PaypalKeysRefused, or an error without an answer
   */
  readRights(): Promise<ReadonlySet<string>>;
}

const triesMax = 4;
const tryTimeoutMs = 10_000;
const totalTimeoutMs = 25_000;
/** A request that asks to wait longer than this fails; its caller asks again later. */
const pauseMsMax = 5_000;
/** A token is renewed so long before its end that no request arrives with an old one. */
const tokenMarginMs = 60_000;
const answerCharsMax = 4_000_000;

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  scope: z.string().default(""),
});

/** A repetition of a request that is still being carried out. It is asked again like a 5xx. */
const isUnderWay = (error: PaypalRefusal): boolean =>
  error.status === 409 || error.has("PREVIOUS_REQUEST_IN_PROGRESS");

interface Token {
  readonly text: string;
  readonly rights: ReadonlySet<string>;
}

interface HeldToken {
  readonly value: Promise<Token>;
  goodUntilMs: number;
}

export function createPaypalClient(options: PaypalClientOptions): PaypalClient {
  const { baseUrl, clientId, secret, firstPauseMs = 200 } = options;
  const uptimeMs = options.uptimeMs ?? (() => performance.now());
  let token: HeldToken | undefined;

  const fetchToken = async (held: { goodUntilMs: number }): Promise<Token> => {
    const basic = Buffer.from(`${clientId}:${secret}`).toString("base64");
    const path = "/v1/oauth2/token";
    const answer = await repeat({ method: "POST", path }, () => ({
      headers: {
        authorization: `Basic ${basic}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "grant_type=client_credentials",
    })).catch((error: unknown) => {
      const isRefused = error instanceof PaypalRefusal && [400, 401, 403].includes(error.status);
      if (!isRefused) throw error;
      throw new PaypalKeysRefused(
        `PayPal at ${baseUrl} does not know the keys of PALISADE_PAYPAL_CLIENT_ID and PALISADE_PAYPAL_SECRET. Keys of the test mode are unknown to the live one, and the other way round (PALISADE_PAYPAL_MODE)`,
        { cause: error },
      );
    });
    const { access_token: text, expires_in: seconds, scope } = tokenAnswer.parse(answer);
    held.goodUntilMs = uptimeMs() + seconds * 1_000 - tokenMarginMs;
    return { text, rights: new Set(scope.split(" ")) };
  };

  /** Concurrent requests share one token, also while it is on its way. */
  const tokenNow = (): Promise<Token> => {
    if (token !== undefined && uptimeMs() < token.goodUntilMs) return token.value;
    const held = { goodUntilMs: Number.POSITIVE_INFINITY };
    const value = fetchToken(held);
    const next = Object.assign(held, { value });
    token = next;
    value.catch(() => {
      if (token === next) token = undefined;
    });
    return value;
  };

  async function once(
    request: PaypalRequest,
    init: RequestInit,
    total: AbortSignal,
  ): Promise<unknown> {
    const response = await fetch(baseUrl + request.path, {
      ...init,
      method: request.method,
      redirect: "error",
      signal: AbortSignal.any([total, AbortSignal.timeout(tryTimeoutMs)]),
    });
    const text = (await response.text()).slice(0, answerCharsMax);
    if (response.ok) return text === "" ? {} : JSON.parse(text);
    const refusal = new PaypalRefusal(request, response.status, text);
    if (response.status !== 429 && response.status < 500 && !isUnderWay(refusal)) throw refusal;
    throw new Again(refusal, Number(response.headers.get("retry-after") ?? 0) * 1_000);
  }

  async function repeat(
    request: PaypalRequest,
    init: () => RequestInit | Promise<RequestInit>,
  ): Promise<unknown> {
    const deadline = AbortSignal.timeout(totalTimeoutMs);
    const total = AbortSignal.any([deadline, ...(request.signal ? [request.signal] : [])]);
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(request, await init(), total);
      } catch (error) {
        if (error instanceof PaypalRefusal || error instanceof PaypalKeysRefused) throw error;
        const cause = error instanceof Again ? error.cause : error;
        const askedMs = error instanceof Again ? error.pauseMs : 0;
        if (tries === triesMax || total.aborted || askedMs > pauseMsMax) throw cause;
        // Spread, so that requests that failed together do not come back together.
        const ownMs = firstPauseMs * 2 ** (tries - 1) * (0.5 + Math.random());
        await delay(Math.max(askedMs, ownMs), undefined, { signal: total });
      }
    }
  }

  return {
    async send(request) {
      const init = async (): Promise<RequestInit> => ({
        headers: {
          authorization: `Bearer ${(await tokenNow()).text}`,
          "content-type": "application/json",
          prefer: "return=representation",
          ...(request.requestId !== undefined && { "paypal-request-id": request.requestId }),
        },
        ...(request.body !== undefined && {
          body: typeof request.body === "string" ? request.body : JSON.stringify(request.body),
        }),
      });
      try {
        return await repeat(request, init);
      } catch (error) {
        if (!(error instanceof PaypalRefusal) || error.status !== 401) throw error;
        // PayPal withdrew the token before its time.
        token = undefined;
        return await repeat(request, init);
      }
    },
    async readRights() {
      token = undefined;
      return (await tokenNow()).rights;
    },
  };
}

/** Worth another try after a pause. */
class Again extends Error {
  override readonly cause: Error;
  readonly pauseMs: number;

  constructor(cause: Error, pauseMs: number) {
    super(cause.message);
    this.cause = cause;
    this.pauseMs = Number.isFinite(pauseMs) ? pauseMs : 0;
  }
}

const problem = z.object({
  name: z.string().catch(""),
  message: z.string().catch(""),
  /** The token endpoint speaks OAuth. */
  error: z.string().optional().catch(undefined),
  error_description: z.string().optional().catch(undefined),
  debug_id: z.string().catch(""),
  details: z
    .array(
      z.object({
        issue: z.string().catch(""),
        description: z.string().optional().catch(undefined),
      }),
    )
    .catch([]),
});

/** Answers of a proxy on the way may be no JSON. */
function readProblem(text: string): z.infer<typeof problem> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = {};
  }
  const read = problem.safeParse(json);
  const data = read.success ? read.data : problem.parse({});
  return {
    ...data,
    name: data.name || (data.error ?? ""),
    message: data.message || (data.error_description ?? "an answer that is not PayPal's"),
  };
}
