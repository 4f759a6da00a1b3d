import {
  recordedCallsLimit,
  type Access,
  type RouteDefinition,
  type RouteLimit,
} from "@palisade/contract/http/route";

export const callerText: Readonly<Record<Access, string>> = {
  anonymous: "anybody, without a token",
  customer: "any signed-in user, for their own account",
  member: "owner and sub-users of the shield; it is 404 for everybody else",
  owner: "the owner of the shield; 403 for sub-users, 404 for everybody else",
  staff: "staff with two-factor authentication",
  edge: "an enrolled edge",
};

export function keyText({ access, apiKey }: Pick<RouteDefinition, "access" | "apiKey">): string {
  if (access === "anonymous") return "not needed";
  if (apiKey === "none") return "not accepted, only an access token";
  return apiKey === "read" ? "`read` or `write` scope" : "`write` scope";
}

const subjectText: Readonly<Record<RouteLimit["per"], string>> = {
  ip: "address",
  user: "account",
  session: "session",
  email: "e-mail",
  "ip+email": "e-mail from one address",
  "device+email": "e-mail from a device that its account knows",
  "network+email": "e-mail from a network that its account knows",
  "stranger+email": "e-mail from devices and networks that its account does not know",
  shield: "shield",
  edge: "edge",
};

/** How often an account may call what goes on its record, all calls together. */
export function auditedCallsText(): string {
  return listed([recordedCallsLimit]);
}

/** The limits as the mount enforces them, in words. */
export function limitsText(route: RouteDefinition): string {
  return listed(route.limits);
}

function listed(limits: readonly RouteLimit[]): string {
  return limits
    .map(({ per, max, windowSeconds, purpose, perProcess, failuresOnly }) => {
      const counted = failuresOnly === true ? " that fail" : "";
      const calls = `${max.toLocaleString("en")} ${max === 1 ? "call" : "calls"}${counted}`;
      const together = purpose === undefined ? "" : ` (all calls about ${purpose} together)`;
      const where = perProcess === true ? " at each api process" : "";
      return `${calls} in ${duration(windowSeconds)} for each ${subjectText[per]}${where}${together}`;
    })
    .join(", ");
}

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

function duration(seconds: number): string {
  const [unit, size] = units.find(([, each]) => seconds % each === 0) ?? units[3];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
