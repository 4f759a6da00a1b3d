import { z } from "zod";

/** The parts of a shield that a member may have a right to. Plan, deletion and members are the owner's. */
export const rightAreas = [
  "general",
  "logs",
  /** The addresses of players in the log. */
  "addresses",
  "backends",
  "domains",
  "mitigation",
  "caching",
  "messages",
  "bedrock",
  "notifications",
  "firewall",
  "history",
] as const;
export type RightArea = (typeof rightAreas)[number];

/** Each includes the ones before it. */
export const rightLevels = ["none", "view", "change"] as const;
export type RightLevel = (typeof rightLevels)[number];

export type Rights = Readonly<Record<RightArea, RightLevel>>;

export const memberRoles = ["viewer", "operator", "manager", "custom"] as const;
export type MemberRole = (typeof memberRoles)[number];

const viewer: Rights = {
  general: "view",
  logs: "view",
  addresses: "none",
  backends: "view",
  domains: "view",
  mitigation: "view",
  caching: "view",
  messages: "view",
  bedrock: "view",
  notifications: "view",
  firewall: "view",
  // It names the other members.
  history: "none",
};

const operator: Rights = {
  ...viewer,
  // To block an address, they have to see it.
  addresses: "view",
  mitigation: "change",
  messages: "change",
  firewall: "change",
  history: "view",
};

const manager: Rights = {
  ...operator,
  general: "change",
  backends: "change",
  domains: "change",
  caching: "change",
  bedrock: "change",
  notifications: "change",
};

/** The rights of each role that has fixed ones. */
export const roleRights = { viewer, operator, manager } as const;

/** The owner's, on the areas that members can have rights to. */
export const ownerRights: Rights = manager;

export function allows(rights: Rights, area: RightArea, needed: RightLevel): boolean {
  return rightLevels.indexOf(rights[area]) >= rightLevels.indexOf(needed);
}

/** There is nothing to change in these. */
const readAreas: ReadonlySet<RightArea> = new Set(["logs", "addresses", "history"] as const);

/** Members always see the name and state of the shield; what has nothing to change is only viewed. */
function tidyRights(given: Rights): Rights {
  const entries = rightAreas.map((area) => {
    const level = given[area];
    if (area === "general" && level === "none") return [area, "view"];
    return [area, readAreas.has(area) && level === "change" ? "view" : level];
  });
  // Every area has one of the levels.
  return Object.fromEntries(entries) as Rights;
}

const level = z.enum(rightLevels, "rights.level");

export const memberRights = z
  .strictObject(
    {
      general: level,
      logs: level,
      // Callers from before a right leave it out.
      addresses: level.default("none"),
      backends: level,
      domains: level,
      mitigation: level,
      caching: level,
      messages: level,
      bedrock: level.default("none"),
      notifications: level,
      firewall: level,
      history: level,
    },
    "rights.required",
  )
  .meta({ id: "MemberRights" });

/** As an owner chooses them. */
export const customRights = memberRights.overwrite(tidyRights);

export const memberRole = z.enum(memberRoles, "member_role.invalid");

/** A role as it is stored, and the rights it gives. */
export function rightsOf(role: MemberRole, custom: Rights | null): Rights {
  if (role !== "custom") return roleRights[role];
  // Stored by this version or one before it, which may not know every area.
  return { ...noRights, ...custom };
}

const noRights: Rights = {
  general: "view",
  logs: "none",
  addresses: "none",
  backends: "none",
  domains: "none",
  mitigation: "none",
  caching: "none",
  messages: "none",
  bedrock: "none",
  notifications: "none",
  firewall: "none",
  history: "none",
};
