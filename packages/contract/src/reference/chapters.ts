import type { routes } from "../http/routes.ts";

/** The calls of edges and payment providers are not part of the reference. */
type Family = Exclude<keyof typeof routes, "edge">;

interface Chapter {
  readonly name: string;
  readonly description: string;
  readonly families: readonly Family[];
}

/** Chapters of the API reference, in the order they are read. */
export const chapters = [
  {
    name: "Authentication",
    description:
      "Accounts, access tokens and forgotten passwords. Calls that take an e-mail answer alike whether or not it has an account.",
    families: ["auth", "passwordReset"],
  },
  {
    name: "Two-factor authentication",
    description:
      "Codes of an authenticator app, backup codes, and proving again who is there before something delicate.",
    families: ["twoFactor"],
  },
  {
    name: "Passkeys",
    description:
      "Logging in, and proving again who is there, with a passkey (WebAuthn) in place of password and code.",
    families: ["passkeys"],
  },
  {
    name: "Profile",
    description:
      "The caller's own account: name and address, e-mail, password, API keys, sessions, notifications, export and deletion. Changes need an access token: no API key can make them.",
    families: ["account", "profile", "announcements"],
  },
  {
    name: "Billing",
    description:
      "Topping up the balance, promo codes and everything that moved money. What came in can be bought with; a repeated call takes nothing twice.",
    families: ["billing", "paymentMethods", "automaticPayments", "invoices"],
  },
  {
    name: "Tickets",
    description:
      "Questions to support, with files. A ticket belongs to the account that opened it. Calls that send files take `multipart/form-data`; without files they take JSON, too.",
    families: ["tickets", "responseTimes"],
  },
  {
    name: "Plans and locations",
    description: "What can be bought, and where players enter.",
    families: ["plans", "planChanges", "supportPlans"],
  },
  {
    name: "Minecraft",
    description: "What there is to know of the game itself.",
    families: ["minecraft"],
  },
  {
    name: "Game Shields",
    description:
      "A shield stands between players and one game server. A new one takes three calls: reserve its CNAME target, check the domain, create it.",
    families: ["servers", "serverLife", "domains", "probes", "doctor"],
  },
  {
    name: "Domains and region",
    description:
      "Names by which players come, what their DNS must say, and where players enter the network.",
    families: ["shieldDomains", "regions"],
  },
  {
    name: "Backends",
    description:
      "The game servers behind a shield, in groups: which edges use them, how players are distributed, and how to let only the edges reach them.",
    families: ["backends", "origin"],
  },
  {
    name: "Firewall",
    description:
      "Addresses and names of players that never or always get in, and rules by country and network. Whitelist beats bot checks, blacklist beats whitelist.",
    families: ["firewall", "networkRules"],
  },
  {
    name: "Messages",
    description: "Texts that players read in their server list and when they are turned away.",
    families: ["serverMessages"],
  },
  {
    name: "Caching",
    description:
      "Server list entries kept at the edges for a moment, so that a flood of pings does not reach the server.",
    families: ["caching"],
  },
  {
    name: "Bedrock",
    description:
      "UDP ports of a shield for players of Bedrock, who join a Java server through Geyser: random ones, and the default port for shields that have the right to it.",
    families: ["bedrock"],
  },
  {
    name: "Mitigation",
    description:
      "The checks that players pass before they join, always or during an attack. In shadow mode the result is counted, and no player is refused.",
    families: ["mitigation", "replay"],
  },
  {
    name: "Analytics",
    description:
      "Players, joins, connections, refusals and traffic over time, with versions, countries and marks. By minutes, ten minutes, hours or days, whichever suits the period.",
    families: ["analytics"],
  },
  {
    name: "Attacks and log",
    description:
      "What attacked a shield, from its first to its last second, and who joined or was refused, for as long as the plan keeps it.",
    families: ["attacks", "logs"],
  },
  {
    name: "Notifications",
    description:
      "Mails and webhooks about a shield: attacks, backends, domains, traffic and plan. Webhooks follow Standard Webhooks; see `docs/webhooks.md`.",
    families: ["notifications", "webhooks"],
  },
  {
    name: "History",
    description:
      "Every change of a shield: by which account and key, and what was there before and after.",
    families: ["history"],
  },
  {
    name: "Sub-users",
    description:
      "People who share a shield, each with a role: a viewer reads, an operator also changes mitigation, firewall and messages, a manager everything except plan, renewal, deletion and sub-users. The role `custom` has rights by area.",
    families: ["subUsers"],
  },
  {
    name: "Live channel",
    description:
      "Changes of tickets, told at once over a WebSocket at `/sockets`. Its frames and close codes are in `docs/api.md`.",
    families: ["liveChannel"],
  },
  {
    name: "Audit log",
    description:
      "Every change and every call by API key, with who made it, from where and how it ended.",
    families: ["audit"],
  },
  {
    name: "Staff",
    description: "For the operator's staff, who need two-factor authentication.",
    families: [
      "staffEdges",
      "staffLocations",
      "staffOperations",
      "staffShields",
      "staffPlans",
      "staffPromoCodes",
      "staffBooks",
      "staffAnnouncements",
      "staffUsers",
      "staffStatus",
      "staffTickets",
      "cannedReplies",
      "staffSupport",
      "staffMails",
    ],
  },
] as const satisfies readonly Chapter[];
