/** Addresses of the console's pages, for its router, the public pages and the links in mails. */
export const consolePaths = {
  landing: "/",
  terms: "/terms",
  privacy: "/privacy",
  login: "/login",
  register: "/register",
  confirm: "/confirm",
  resetPassword: "/reset-password",
  resetCode: "/reset-password/confirm",
  newPassword: "/reset-password/new",
  confirmEmail: "/confirm-email",
  invitation: "/invitation",
  sharedAttack: "/shared/attack",
  dashboard: "/dashboard",
  setup: "/dashboard/setup",
  billing: "/dashboard/billing",
  profile: "/dashboard/profile",
  support: "/dashboard/support",
  supportPlans: "/dashboard/support/plans",
  auditLogs: "/dashboard/audit-logs",
  shields: "/dashboard/gameshield",
  staff: "/staff",
} as const;

/** The public status page, which the api renders itself. */
export const statusPath = "/status";

/**
 * @example
 * shieldPath(id, "domains") // "/dashboard/gameshield/0198…/domains"
 */
export function shieldPath(shieldId: string, section?: string): string {
  const overview = `${consolePaths.shields}/${shieldId}`;
  return section === undefined ? overview : `${overview}/${section}`;
}

export function ticketPath(ticketId: string): string {
  return `${consolePaths.support}/ticket/${ticketId}`;
}

/** The page of one attack, for the owner and members. */
export function attackPath(shieldId: string, attackId: string): string {
  return `${shieldPath(shieldId, "attacks")}?attack=${attackId}`;
}

/** The link to a shared attack, behind the origin; browsers do not send the fragment. */
export function sharedAttackPath(token: string): string {
  return `${consolePaths.sharedAttack}#token=${token}`;
}

/** A section of the staff area, or one thing of it. */
export function staffPath(section: string, id?: string): string {
  const list = `${consolePaths.staff}/${section}`;
  return id === undefined ? list : `${list}/${id}`;
}

/** A tab of the profile page. */
export function profilePath(tab: "security" | "notifications"): string {
  return `${consolePaths.profile}?tab=${tab}`;
}

/** The billing page as a payment provider sends the browser back to it. */
export function topUpReturnPath(intentId: string, outcome: "paid" | "cancelled"): string {
  const path = `${consolePaths.billing}?intent=${intentId}`;
  return outcome === "cancelled" ? `${path}&cancelled=1` : path;
}

/** The billing page as a payment provider sends the browser back to it after a card's set-up. */
export function cardReturnPath(setupId: string, outcome: "saved" | "cancelled"): string {
  const path = `${consolePaths.billing}?card=${setupId}`;
  return outcome === "cancelled" ? `${path}&cancelled=1` : path;
}

const pages: ReadonlySet<string> = new Set(Object.values(consolePaths));

/** The pages of one shield, of one ticket and of the staff area. */
const pagesOfThings =
  /^\/(dashboard\/gameshield|staff)\/[^/]+(\/[^/]+)?$|^\/dashboard\/support\/ticket\/[^/]+$/;

/** Whether the console has a page at this path; its router answers any other with 'Page not found'. */
export function isConsolePage(pathname: string): boolean {
  const path = pathname.replace(/(?<=[^/])\/$/, "");
  return pages.has(path) || pagesOfThings.test(path);
}
