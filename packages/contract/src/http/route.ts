import type { z } from "zod";
import type { ErrorCode } from "../errors/codes.ts";
import type { RightArea, RightLevel } from "./member-rights.ts";
import type { StaffRole } from "./staff-roles.ts";
import type { TextKey } from "../texts/en.ts";

/**
 * The callers that a route allows. Each class includes the checks of the ones it names:
 *
 * - `anonymous`  no credential is looked at
 * - `customer`   any signed-in user, acting on their own account
 * - `member`     owner or sub-user of the shield named by `:id`; others get 404
 * - `owner`      owner of the shield named by `:id`; sub-users get 403, others 404
 * - `staff`      staff with two-factor authentication and one of the route's `staffRoles`; others get 403
 * - `edge`       an enrolled edge or zone DNS server, by its credential
 */
export const accessClasses = ["anonymous", "customer", "member", "owner", "staff", "edge"] as const;
export type Access = (typeof accessClasses)[number];

/** The scope that an API key needs to call the route; `none` refuses API keys. */
export type ApiKeyScope = "none" | "read" | "write";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * Counts for an e-mail by how well its account knows the caller, from earlier logins: by their
 * device, else by their network, else not at all. Each call is in one of the three, so that strangers
 * use up nothing of what the owner has. A caller on a known device is in no count by address either.
 */
export const familiaritySubjects = ["device+email", "network+email", "stranger+email"] as const;

/** A fixed-window limit kept in PostgreSQL. `per` names what is counted. */
export interface RouteLimit {
  readonly per:
    | "ip"
    | "user"
    | "session"
    | "email"
    | "ip+email"
    | (typeof familiaritySubjects)[number]
    | "shield"
    | "edge";
  readonly max: number;
  readonly windowSeconds: number;
  /** Counted together with all limits of the same purpose; its name completes "all calls about". */
  readonly purpose?: string;
  /** A call that succeeds does not count. */
  readonly failuresOnly?: boolean;
  /** Shown to a caller over the limit, instead of the text of `rate_limited`. */
  readonly text?: TextKey;
  /** Counted in the memory of each api process: a write to PostgreSQL would cost more than the call. */
  readonly perProcess?: true;
}

/**
 * For calls that need no limit of their own. No route is without a limit, so that no caller can keep
 * the api busy with the cheapest call.
 */
export const defaultLimits = {
  /** Enough for pages in several tabs, and for programs that poll. */
  read: [{ per: "user", max: 1_200, windowSeconds: 60, perProcess: true }],
  change: [{ per: "user", max: 120, windowSeconds: 60, perProcess: true }],
  anonymous: [{ per: "ip", max: 600, windowSeconds: 60, perProcess: true }],
  edge: [{ per: "edge", max: 6_000, windowSeconds: 60, perProcess: true }],
  /**
   * For calls that end what the thief of a session has. Others of the account do not use them up, so that
   * the thief cannot keep the owner from them.
   */
  ending: [{ per: "session", max: 60, windowSeconds: 60, perProcess: true }],
} as const satisfies Record<string, readonly RouteLimit[]>;

/**
 * Limits the rows an account adds to the audit log, which is never shortened: once for its changes,
 * once for its calls by API key. Counted over all routes, beside the limits of each route.
 */
export const recordedCallsLimit = {
  per: "user",
  max: 600,
  windowSeconds: 60,
} as const satisfies RouteLimit;

/**
 * Limits calls without a valid credential, over all routes that need one. Calls with a valid
 * one do not count, so that others behind the same address do not keep its holder out.
 */
export const refusedCallsLimit = {
  per: "ip",
  max: 600,
  windowSeconds: 60,
  perProcess: true,
} as const satisfies RouteLimit;

/** Caps of a `multipart/form-data` body; of the whole, the family's cap holds. */
export interface MultipartCaps {
  readonly files: number;
  readonly fileBytes: number;
}

/** Files of a form: parts named `field[0]`, `field[1]` and so on, each kept on disk until the call ends. */
export interface UploadCaps {
  readonly field: string;
  readonly files: number;
  readonly fileBytes: number;
}

export interface RouteDefinition {
  /** Stable id, `<noun>.<verb>`; also the OpenAPI operationId. */
  readonly id: string;
  readonly method: Method;
  /** Fastify style path below the base path of its family, e.g. `/servers/:id`. */
  readonly path: string;
  readonly family: "api" | "edge";
  readonly access: Access;
  /** The area that a member needs a right to; every `member` route names one. */
  readonly area?: RightArea;
  /** By default `view` for a GET, and `change` for everything else. */
  readonly right?: RightLevel;
  /** The roles of staff that may call it, beside `admin`; every `staff` route names them. */
  readonly staffRoles?: readonly StaffRole[];
  /** The answer shows a customer's personal data: the call is on record, even when it only reads. */
  readonly showsPersonalData?: true;
  readonly apiKey: ApiKeyScope;
  /** Refused to staff who view as the customer: the answer shows a secret, or everything at once. */
  readonly notInViews?: true;
  readonly summary: string;
  /** Also for the owner's shield deleted less than 14 days ago, where other routes answer 410. */
  readonly evenDeleted?: boolean;
  readonly params?: z.ZodType;
  readonly querystring?: z.ZodType;
  readonly body?: z.ZodType;
  /** The handler gets the body's own bytes, whatever their type: a signature is over these. */
  readonly rawBody?: boolean;
  /** Set when a valid body may be larger than the usual bodies of the family. */
  readonly bodyBytesMax?: number;
  /**
   * The body is taken as `multipart/form-data` as well: nested names in brackets,
   * `offline[motd_line1]`, and a file is the field's data URI.
   */
  readonly multipart?: MultipartCaps;
  /** The body is taken as `multipart/form-data` as well, with these files beside its fields. */
  readonly uploads?: UploadCaps;
  /** The one success status and its body. */
  readonly success: number;
  /** The answer is a file that is no text: the client reads it as a Blob. */
  readonly answersFile?: true;
  /** The answer is lines of JSON that come as they are made: the client gives the body's stream. */
  readonly streams?: true;
  readonly response: z.ZodType;
  /** Error codes the route may answer beyond those every route shares. */
  readonly errors: readonly ErrorCode[];
  readonly limits: readonly RouteLimit[];
  /** The route accepts `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** False: the call changes nothing about the account, so it leaves no row in the audit log. */
  readonly audited?: false;
  /** A GET whose answer carries an `ETag` of the whole body: `If-None-Match` with it is answered 304. */
  readonly conditional?: boolean;
  /** A GET whose answer carries an `ETag` that a change at another path takes as `If-Match`. */
  readonly versioned?: true;
  /**
   * The caller has to have logged in or stepped up minutes ago; for a stored answer, too.
   * `some fields`: only for some of the body's fields, which the use case checks.
   * `with passkeys`: only where passkeys are the strongest factor, which the use case checks. The
   * code in the body proves the others.
   * `with a second factor`: only where the password in the body is not the strongest factor, which
   * the use case checks.
   * `false`: work of staff that takes nothing from a customer. Every other change by staff needs it,
   * without it being said of each.
   */
  readonly recent?: boolean | "some fields" | "with passkeys" | "with a second factor";
  /** The answer shows a secret once: what is kept of it for a repetition is encrypted. */
  readonly answersSecret?: boolean;
}

/** Path prefix of each route family. */
export const basePaths = { api: "/api/v1", edge: "/edge/v1" } as const;

/**
 * Declares a route. The literal types survive, so that server and client infer
 * parameters, body and answer from the same place.
 *
 * @example
 * const get = route({ id: "servers.get", method: "GET", path: "/servers/:id", ... });
 */
export function route<const R extends RouteDefinition>(definition: R): R {
  return definition;
}

/** The path as the server mounts it, with its base path. */
export function mountedPath(definition: Pick<RouteDefinition, "family" | "path">): string {
  return basePaths[definition.family] + definition.path;
}
