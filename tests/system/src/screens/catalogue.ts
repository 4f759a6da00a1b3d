/** Every screen of the console, by the path that shows it. */
export interface Screen {
  readonly name: string;
  readonly path: string;
  readonly as: "stranger" | "newcomer" | "owner";
}

export function screensOf(shieldId: string): readonly Screen[] {
  const shield = `/dashboard/gameshield/${shieldId}`;
  return [
    { name: "login", path: "/login", as: "stranger" },
    { name: "register", path: "/register", as: "stranger" },
    { name: "confirm", path: "/confirm", as: "stranger" },
    { name: "reset password", path: "/reset-password", as: "stranger" },
    { name: "reset code", path: "/reset-password/confirm", as: "stranger" },
    { name: "new password", path: "/reset-password/new", as: "stranger" },
    { name: "not found", path: "/nowhere", as: "stranger" },
    { name: "dashboard, empty", path: "/dashboard", as: "newcomer" },
    { name: "dashboard", path: "/dashboard", as: "owner" },
    { name: "dashboard, deleted", path: "/dashboard?status=deleted", as: "owner" },
    { name: "billing, empty", path: "/dashboard/billing", as: "newcomer" },
    { name: "billing", path: "/dashboard/billing", as: "owner" },
    { name: "invoices, empty", path: "/dashboard/billing?tab=invoices", as: "newcomer" },
    { name: "invoices", path: "/dashboard/billing?tab=invoices", as: "owner" },
    { name: "confirm new email", path: "/confirm-email", as: "stranger" },
    { name: "profile", path: "/dashboard/profile", as: "owner" },
    { name: "security", path: "/dashboard/profile?tab=security", as: "owner" },
    { name: "notifications", path: "/dashboard/profile?tab=notifications", as: "owner" },
    { name: "discord", path: "/dashboard/profile?tab=discord", as: "owner" },
    { name: "support plans", path: "/dashboard/support/plans", as: "owner" },
    { name: "audit logs", path: "/dashboard/audit-logs", as: "owner" },
    { name: "audit logs, no match", path: "/dashboard/audit-logs?status=418&days=7", as: "owner" },
    { name: "no invitation", path: "/invitation", as: "stranger" },
    { name: "no such page", path: "/dashboard/nowhere", as: "owner" },
    { name: "no shield", path: "/dashboard/gameshield", as: "owner" },
    { name: "setup", path: "/dashboard/setup", as: "owner" },
    { name: "overview", path: shield, as: "owner" },
    { name: "analytics", path: `${shield}/analytics?range=7d&compare=true`, as: "owner" },
    { name: "analytics, last hour", path: `${shield}/analytics?range=1h`, as: "owner" },
    { name: "doctor", path: `${shield}/doctor`, as: "owner" },
    { name: "attacks", path: `${shield}/attacks`, as: "owner" },
    { name: "attack", path: `${shield}/attacks?attack=${shieldId}`, as: "owner" },
    { name: "shared attack", path: "/shared/attack#token=psa_link", as: "stranger" },
    { name: "firewall", path: `${shield}/firewall`, as: "owner" },
    { name: "whitelist", path: `${shield}/firewall?tab=whitelist`, as: "owner" },
    { name: "messages", path: `${shield}/customization`, as: "owner" },
    { name: "customization", path: `${shield}/customization?tab=offline`, as: "owner" },
    { name: "mitigation messages", path: `${shield}/customization?tab=mitigation`, as: "owner" },
    { name: "backends", path: `${shield}/backends`, as: "owner" },
    { name: "origin lockdown", path: `${shield}/backends?tab=origin`, as: "owner" },
    { name: "sub users", path: `${shield}/subusers`, as: "owner" },
    { name: "logs", path: `${shield}/logs`, as: "owner" },
    { name: "history", path: `${shield}/history`, as: "owner" },
    { name: "domains", path: `${shield}/domains`, as: "owner" },
    { name: "mitigation", path: `${shield}/mitigation`, as: "owner" },
    { name: "antibot", path: `${shield}/mitigation?tab=antibot`, as: "owner" },
    { name: "miscellaneous", path: `${shield}/mitigation?tab=miscellaneous`, as: "owner" },
    { name: "notifications", path: `${shield}/notifications`, as: "owner" },
    { name: "caching", path: `${shield}/caching`, as: "owner" },
    { name: "kick messages", path: `${shield}/customization?tab=firewall`, as: "owner" },
  ];
}
