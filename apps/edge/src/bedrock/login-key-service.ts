import type { JsonWebKey } from "node:crypto";
import {
  defaultLoginKeys,
  type LoginKeys,
  type OpenIdService,
} from "@palisade/login-rules/bedrock/login-chain";
import { isObject, textOf } from "@palisade/minecraft-protocol/bedrock/login/json-web-token";
import { readCappedBody } from "#src/http/capped-body.ts";
import type { SampledLog } from "#src/telemetry/login-log.ts";

/** The service publishes a new key long before it signs with it. */
const refreshMs = 3_600_000;
/** After a failure, twice as long after each further one. */
const retryFirstMs = 30_000;
const callMs = 10_000;
/** One answer of the service. */
const bytesMax = 65_536;
const keysMax = 32;

export interface LoginKeyServiceDeps {
  /** Base URL, without a slash at the end; empty: the service is not asked. */
  readonly url: string;
  /** No clock that can be set. */
  readonly monotonicMs: () => number;
  readonly log: Pick<SampledLog, "info">;
}

/**
 * The keys with which the game's OpenID service signs the tokens of logins, from clients of 1.21.90 on. They
 * are fetched while they may be needed, and again each hour; when that fails, those from before stay.
 * Source: OpenID Connect Discovery 1.0, section 4; RFC 7517.
 */
export class LoginKeyService {
  readonly #deps: LoginKeyServiceDeps;
  #keys: LoginKeys = defaultLoginKeys;
  #isAsking = false;
  #failures = 0;
  #dueAtMs = 0;

  constructor(deps: LoginKeyServiceDeps) {
    this.#deps = deps;
  }

  get keys(): LoginKeys {
    return this.#keys;
  }

  /** Once a second, while this thread has a Bedrock port. */
  tick(): void {
    const { url, monotonicMs } = this.#deps;
    if (url === "" || this.#isAsking || monotonicMs() < this.#dueAtMs) return;
    this.#isAsking = true;
    void this.#refresh(url);
  }

  /** Never rejects. */
  async #refresh(url: string): Promise<void> {
    try {
      this.#keys = { ...defaultLoginKeys, service: await fetchService(url) };
      this.#failures = 0;
      this.#dueAtMs = this.#deps.monotonicMs() + refreshMs;
    } catch (error) {
      const retryMs = Math.min(refreshMs, retryFirstMs * 2 ** this.#failures);
      this.#failures += 1;
      this.#dueAtMs = this.#deps.monotonicMs() + retryMs;
      this.#deps.log.info(
        () => ({ err: error }),
        "the keys of Bedrock logins could not be fetched; those from before stay",
      );
    } finally {
      this.#isAsking = false;
    }
  }
}

async function fetchService(url: string): Promise<OpenIdService> {
  const about = await fetchJson(`${url}/.well-known/openid-configuration`);
  const issuer = isObject(about) ? textOf(about["issuer"]) : "";
  const place = isObject(about) ? textOf(about["jwks_uri"]) : "";
  if (issuer === "" || !isSafe(place, url)) throw new Error("the service does not name its keys");
  const set = await fetchJson(place);
  const listed: readonly unknown[] =
    isObject(set) && Array.isArray(set["keys"]) ? set["keys"].slice(0, keysMax) : [];
  const keys = listed.filter(isSigningKey);
  if (keys.length === 0) throw new Error("the service has no key that signs");
  return { issuer, keys };
}

/** A service on this machine may be asked without TLS, and so may the keys that it names. */
function isSafe(place: string, url: string): boolean {
  if (!URL.canParse(place)) return false;
  const { protocol, origin } = new URL(place);
  return protocol === "https:" || origin === new URL(url).origin;
}

function isSigningKey(key: unknown): key is JsonWebKey {
  if (!isObject(key)) return false;
  return key["kty"] === "RSA" && textOf(key["kid"]) !== "" && (key["use"] ?? "sig") === "sig";
}

/** @throws Error where there is no answer, or a larger one than `bytesMax` */
async function fetchJson(url: string): Promise<unknown> {
  const answer = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(callMs) });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`the service answered ${answer.status}`);
  }
  const body = await readCappedBody(answer, bytesMax);
  if (body === undefined) throw new Error("the service answered with too much");
  return JSON.parse(body.toString("utf8"));
}
