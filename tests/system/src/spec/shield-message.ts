import type { ErrorCode } from "@palisade/contract/errors/codes";
import type { RouteDefinition } from "@palisade/contract/http/route";
import type { Texts } from "./rules.ts";

/**
 * The messages of the server specification, section 8, of the sections of a shield: when each is
 * said, and by whom. The API's own words (`answer`) come on the page as they are; where an answer
 * has none (`wordless`) the page says the text; the others the page says by itself.
 */
export interface ShieldMessage extends Texts {
  readonly when: string;
  readonly section: Section;
  readonly answer?: ShieldAnswer;
  readonly wordless?: RouteDefinition;
}

export interface ShieldAnswer {
  readonly route: RouteDefinition;
  readonly status: number;
  readonly code?: ErrorCode;
}

/** As in the address; `page` is said around all of them. */
export type Section =
  | "page"
  | "backends"
  | "domains"
  | "mitigation"
  | "caching"
  | "customization"
  | "firewall"
  | "subusers";

export const done = (route: RouteDefinition): ShieldAnswer => ({ route, status: route.success });

export const refused = (route: RouteDefinition, status: number, code: ErrorCode): ShieldAnswer => ({
  route,
  status,
  code,
});
