import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

interface Article {
  readonly id: string;
  readonly title: MessageDescriptor;
  readonly text: MessageDescriptor;
  /** Words that people use for it, in this language. */
  readonly keywords: MessageDescriptor;
  /** The section of a shield or the page of the account that has the setting. */
  readonly link:
    | { readonly section: string; readonly label: MessageDescriptor }
    | {
        readonly page: "billing" | "profile" | "supportPlans" | "auditLogs";
        readonly label: MessageDescriptor;
      };
}

const doctor = { section: "doctor", label: msg`Open the doctor` } as const;
const mitigation = { section: "mitigation", label: msg`Open Mitigation` } as const;
const backends = { section: "backends", label: msg`Open Backends` } as const;

/** Answers of the console to the questions that are asked most. */
export const articles: readonly Article[] = [
  {
    id: "cannot-join",
    title: msg`Players cannot join`,
    keywords: msg`connect connection timeout timed out disconnect kicked offline unreachable login`,
    text: msg`The doctor checks DNS, every edge and your server within seconds, and says what to fix. The log shows why each login was refused.`,
    link: doctor,
  },
  {
    id: "domain",
    title: msg`Point your domain to the shield`,
    keywords: msg`dns cname srv record txt verify verification subdomain registrar cloudflare`,
    text: msg`Create a CNAME record for your domain that points to the name shown under Domains. Turn off the proxy of your DNS provider for it. A change of DNS may take some minutes to be seen everywhere.`,
    link: { section: "domains", label: msg`Open Domains` },
  },
  {
    id: "real-addresses",
    title: msg`All players have the same IP address`,
    keywords: msg`proxy protocol forwarding bungeecord velocity paper spigot real ips ban`,
    text: msg`Your server sees the address of our edge until it reads PROXY protocol. Turn it on in the backend group and in Paper, Velocity or BungeeCord, both at the same time.`,
    link: backends,
  },
  {
    id: "backend-offline",
    title: msg`The server is shown as offline`,
    keywords: msg`backend down unreachable port firewall refused health motd`,
    text: msg`Check that the address and port of the backend are right, and that the firewall of your host lets our edges in. The doctor tries it from every edge.`,
    link: doctor,
  },
  {
    id: "origin",
    title: msg`Hide the real IP of your server`,
    keywords: msg`origin lockdown leak leaked exposed attack directly bypass firewall rules`,
    text: msg`Let only our edges connect to your server: Backends shows the firewall rules for it. If attackers know the old address, ask your host for a new one.`,
    link: backends,
  },
  {
    id: "attack",
    title: msg`The server is under attack`,
    keywords: msg`ddos bots flood lag antibot protection raid spam`,
    text: msg`The edges refuse attack traffic by themselves. If bots get in, choose a higher antibot level under Mitigation; a change holds within seconds.`,
    link: mitigation,
  },
  {
    id: "false-positives",
    title: msg`Real players are refused or must verify`,
    keywords: msg`verification captcha challenge false positive blocked vpn kicked mistake`,
    text: msg`Choose a lower level under Mitigation, or turn on shadow mode to see what would be refused. Players on the whitelist skip the checks.`,
    link: mitigation,
  },
  {
    id: "ban-player",
    title: msg`Block or allow players and addresses`,
    keywords: msg`ban unban blacklist whitelist griefer ip range`,
    text: msg`The firewall of the shield has both lists: addresses, ranges and names. The whitelist wins over bot checks, the blacklist over the whitelist.`,
    link: { section: "firewall", label: msg`Open Firewall` },
  },
  {
    id: "ping",
    title: msg`Players have a high ping or lag`,
    keywords: msg`latency slow delay location region route ms`,
    text: msg`Choose the location nearest to your server for the backend group, and let players enter where most of them live.`,
    link: { section: "analytics", label: msg`Open Analytics` },
  },
  {
    id: "messages",
    title: msg`Change the MOTD or the kick messages`,
    keywords: msg`customization text colours icon favicon maintenance offline screen`,
    text: msg`Customization has every text that our edges show, with a preview as in the game. It works while your server is off, too.`,
    link: { section: "customization", label: msg`Open Customization` },
  },
  {
    id: "versions",
    title: msg`A Minecraft version is refused`,
    keywords: msg`version outdated client server snapshot range update protocol`,
    text: msg`The range of versions under Mitigation says who may join. New versions are in the list soon after their release.`,
    link: mitigation,
  },
  {
    id: "sub-users",
    title: msg`Give a friend access to a shield`,
    keywords: msg`share member invite invitation subuser rights role team admin`,
    text: msg`Invite them by e-mail or username under Subusers, and choose what they may see and change. They never see your balance.`,
    link: { section: "subusers", label: msg`Open Subusers` },
  },
  {
    id: "payment",
    title: msg`A payment has not arrived`,
    keywords: msg`balance recharge top-up paypal card credited money bank stripe missing`,
    text: msg`The balance is credited as soon as the payment provider confirms it, usually within a minute. Billing shows every payment with its status and number.`,
    link: { page: "billing", label: msg`Open Billing` },
  },
  {
    id: "invoice",
    title: msg`Invoices and VAT`,
    keywords: msg`invoice receipt tax bill company address vat pdf document`,
    text: msg`Billing has a PDF of every receipt and invoice. New ones carry the name, address and VAT ID of your profile.`,
    link: { page: "billing", label: msg`Open Billing` },
  },
  {
    id: "plan",
    title: msg`Change or cancel a plan`,
    keywords: msg`upgrade downgrade renewal renew subscription price expire expired refund`,
    text: msg`The overview of the shield has its plan and its renewal. With a dearer plan you pay the difference only; a cheaper one begins with the next period.`,
    link: { section: "overview", label: msg`Open the overview` },
  },
  {
    id: "two-factor",
    title: msg`Two-factor authentication and passwords`,
    keywords: msg`2fa code authenticator backup codes passkey login hacked security session email`,
    text: msg`Your profile has two-factor authentication, passkeys, backup codes and all sessions. End the sessions that you do not know, and change the password.`,
    link: { page: "profile", label: msg`Open your profile` },
  },
  {
    id: "api",
    title: msg`API keys and webhooks`,
    keywords: msg`api key token automation script discord webhook integration rest`,
    text: msg`Create keys with their own rights in your profile. Webhooks of a shield are in its notifications.`,
    link: { page: "profile", label: msg`Open your profile` },
  },
];
