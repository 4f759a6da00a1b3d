import type { Rights } from "@palisade/contract/http/member-rights";
import type { nodeKinds } from "@palisade/contract/http/staff-edges";
import type { serverRoles, serverStatuses } from "@palisade/contract/http/servers";
import type { Access, RouteDefinition } from "@palisade/contract/http/route";
import type { StaffRole } from "@palisade/contract/http/staff-roles";
import type { AuthFactor } from "@palisade/contract/http/two-factor";
import type { TextKey } from "@palisade/contract/texts/en";
import type { Locale } from "@palisade/contract/texts/render";
import type { FastifyBaseLogger } from "fastify";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Familiarity } from "./known-callers.ts";
import type { UnitOfWorkScope } from "./unit-of-work.ts";

export interface AnonymousActor {
  readonly kind: "anonymous";
}

export interface UserActor {
  readonly kind: "user";
  readonly userId: string;
  readonly email: string;
  readonly role: "customer" | "staff";
  /** Empty for customers. */
  readonly staffRoles: readonly StaffRole[];
  readonly hasTwoFactor: boolean;
  readonly credential:
    | {
        readonly kind: "session";
        readonly id: string;
        /** When its holder last proved who they are. */
        readonly authenticatedAt: Date;
        /** The factor of that proof. */
        readonly authenticatedBy: AuthFactor;
        /** The strongest one of the account: a risky call needs a proof by it. */
        readonly strongestFactor: AuthFactor;
        /** The hash of the token that made the call: a step-up replaces it. */
        readonly tokenHash: string;
      }
    | { readonly kind: "api-key"; readonly id: string; readonly scope: "read" | "write" }
    /** A staff member sees what the user sees, and changes nothing. */
    | { readonly kind: "view"; readonly id: string; readonly staffId: string };
}

export interface EdgeActor {
  readonly kind: "edge";
  readonly edgeId: string;
  readonly nodeKind: (typeof nodeKinds)[number];
  readonly location: string;
}

export type Actor = AnonymousActor | UserActor | EdgeActor;

/** The caller's rights on the shield of the path. */
export interface ShieldGrant {
  readonly id: string;
  readonly role: (typeof serverRoles)[number];
  readonly status: (typeof serverStatuses)[number];
  readonly rights: Rights;
}

export interface ShieldAccess {
  /** `gone`: the owner's own shield, deleted less than 14 days ago. Null: the user may not see it. */
  of(executor: Executor, userId: string, shieldId: string): Promise<ShieldGrant | "gone" | null>;
  /**
   * Holds a sub-user's access until `trx` ends, so that changing it or taking it away waits for a
   * write under way. Null when the access has already been taken away.
   */
  hold(trx: Trx, userId: string, shieldId: string): Promise<Rights | null>;
}

/** One request, as handlers and services see it. */
export interface RequestContext {
  readonly requestId: string;
  readonly locale: Locale;
  readonly ip: string;
  /** User agent, cut to 200 characters. */
  readonly device: string;
  /** When the request began, by the injected clock. */
  readonly now: Date;
  readonly actor: Actor;
  readonly shield: ShieldGrant | undefined;
  /** How the account of the body's e-mail knows the caller, on routes whose limits ask for it. */
  readonly familiarity: Familiarity;
  readonly ifMatch: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly log: FastifyBaseLogger;
  /** Aborts when the caller goes away or the api shuts down; for answers that stream. */
  readonly signal: AbortSignal;
  text(key: TextKey, values?: Readonly<Record<string, string | number>>): string;
  cookie(name: string): string | undefined;
  header(name: string): string | undefined;
  /** Audits the call for this account, when the actor alone does not name it. */
  auditAccount(userId: string): void;
  /** Audits the call for an address, when it must not show whether the address has an account. */
  auditAddress(emailKey: string): void;
  /** For `unitOfWork` only. */
  readonly scope: UnitOfWorkScope;
}

type ActorOf<A extends Access> = A extends "edge"
  ? EdgeActor
  : A extends "anonymous"
    ? AnonymousActor
    : UserActor;

type ShieldOf<A extends Access> = A extends "member" | "owner" ? ShieldGrant : undefined;

/** The context of a route, narrowed by its access class. */
export type ContextOf<R extends RouteDefinition> = Omit<RequestContext, "actor" | "shield"> & {
  readonly actor: ActorOf<R["access"]>;
  readonly shield: ShieldOf<R["access"]>;
};

/** A call of a signed-in user about their own account. */
export type CustomerContext = Omit<RequestContext, "actor" | "shield"> & {
  readonly actor: UserActor;
};
